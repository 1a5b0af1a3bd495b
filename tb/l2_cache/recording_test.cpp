// SPDX-License-Identifier: Apache-2.0
// recording_test.cpp - says whether a file is a recording: exit status 0 or 1.
#include "recording.h"

int main(int argc, char **argv) {
  Recording r(2);
  return argc == 2 && r.read(argv[1], 1u << 20) ? 0 : 1;
}
