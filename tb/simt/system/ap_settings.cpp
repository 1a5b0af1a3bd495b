// SPDX-License-Identifier: Apache-2.0
// ap_settings.cpp - see ap_settings.h.
#include "ap_settings.h"

uint64_t *setting(Settings &s, const std::string &name) {
  static const std::map<std::string, uint64_t Settings::*> all = {
      {"seed", &Settings::seed},
      {"kind", &Settings::kind},
      {"way", &Settings::way},
      {"blocks", &Settings::blocks},
      {"warps", &Settings::warps},
      {"rounds", &Settings::rounds},
      {"pages", &Settings::pages},
      {"stride", &Settings::stride},
      {"rate", &Settings::rate},
      {"latency", &Settings::latency},
      {"jitter", &Settings::jitter},
      {"late", &Settings::late},
      {"translate", &Settings::translate},
      {"hw", &Settings::hw},
      {"host", &Settings::host},
      {"page_time", &Settings::page_time},
      {"handler", &Settings::handler},
      {"memory", &Settings::memory},
      {"warm", &Settings::warm},
      {"width", &Settings::width},
      {"repeat", &Settings::repeat},
      {"images", &Settings::images},
      {"pitch", &Settings::pitch},
      {"input", &Settings::input},
      {"frames", &Settings::frames},
      {"tlb", &Settings::tlb},
      {"batch", &Settings::batch},
      {"chance", &Settings::chance},
      {"watch", &Settings::watch},
      {"limit", &Settings::limit},
      {"trace", &Settings::trace}};
  auto i = all.find(name);
  return i == all.end() ? nullptr : &(s.*i->second);
}

void read_settings(Settings &s, const std::vector<std::string> &args) {
  for (size_t i = 1; i < args.size(); i++) {
    const std::string &a = args[i];
    size_t eq = a.find('=');
    uint64_t *to = eq == std::string::npos ? nullptr : setting(s, a.substr(0, eq));
    char *end = nullptr;
    if (to) *to = strtoull(a.c_str() + eq + 1, &end, 0);
    if (!to || *end || eq + 1 == a.size()) usage(("no setting '" + a + "'").c_str());
  }
}
