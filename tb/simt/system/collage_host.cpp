// SPDX-License-Identifier: Apache-2.0
// collage_host.cpp - see collage_host.h.
#include "collage_host.h"

Collage::Collage(uint64_t seed, uint32_t num_images, uint32_t num_blocks, uint32_t bytes)
    : images(num_images), blocks(num_blocks), pitch(bytes), rng_{seed} {
  while (buckets < images / 8) buckets *= 2;
  palettes_ = images / 12 + 1;
  for (uint32_t i = 0; i < palettes_; i++) base_.push_back(gmmu_rng_next(&rng_));
  file.assign(static_cast<size_t>(images) * pitch, 0);
  for (uint32_t i = 0; i < images; i++) {
    Hist h = histogram(picture(static_cast<uint32_t>(gmmu_rng_below(&rng_, palettes_))));
    memcpy(&file[static_cast<size_t>(i) * pitch], h.data(), sizeof h);
  }
  lsh();
  index();
  std::vector<uint8_t> seen(images, 0);
  for (uint32_t b = 0; b < blocks; b++) {
    std::vector<uint32_t> p = picture(static_cast<uint32_t>(gmmu_rng_below(&rng_, palettes_)));
    pixels.insert(pixels.end(), p.begin(), p.end());
    choose(histogram(p));
    for (uint32_t x : look.back()) seen[x] = 1;
    reads += look.back().size();
  }
  for (uint8_t x : seen) distinct += x;
}

std::vector<uint32_t> Collage::picture(uint32_t palette) {
  std::vector<uint32_t> p(COLLAGE_PIXELS);
  for (uint32_t &v : p) {
    uint64_t r = gmmu_rng_next(&rng_);
    uint32_t region = static_cast<uint32_t>(r & 3) % 3;
    v = 0;
    for (uint32_t c = 0; c < 3; c++) {
      uint32_t center = static_cast<uint32_t>(base_[palette] >> (region * 21 + c * 7) & 127) + 56;
      uint32_t noise = static_cast<uint32_t>((r >> (8 + 12 * c) & 15) + (r >> (12 + 12 * c) & 15));
      v |= (center + noise) << 8 * c;
    }
  }
  return p;
}

Collage::Hist Collage::histogram(const std::vector<uint32_t> &p) {
  Hist h{};
  for (uint32_t v : p)
    for (uint32_t c = 0; c < 3; c++) h[c * 256 + (v >> 8 * c & 255)]++;
  return h;
}

void Collage::lsh() {
  bins.assign(COLLAGE_TAPS * 32, 0);
  offset.assign(32, 0);
  for (uint32_t l = 0; l < COLLAGE_TABLES * COLLAGE_HASHES; l++) {
    offset[l] = static_cast<uint32_t>(gmmu_rng_below(&rng_, 1 << COLLAGE_SHIFT));
    for (uint32_t n = 0; n < COLLAGE_TAPS; n++)
      bins[n * 32 + l] = static_cast<uint32_t>(gmmu_rng_below(&rng_, COLLAGE_BINS)) |
                         static_cast<uint32_t>(gmmu_rng_below(&rng_, 2)) << 31;
  }
}

uint32_t Collage::bucket(const Hist &h, uint32_t table) const {
  uint32_t key = 0;
  for (uint32_t k = 0; k < COLLAGE_HASHES; k++) {
    uint32_t l = table * COLLAGE_HASHES + k;
    int64_t sum = offset[l];
    for (uint32_t n = 0; n < COLLAGE_TAPS; n++) {
      int64_t v = h[bins[n * 32 + l] & 1023];
      sum += bins[n * 32 + l] >> 31 ? -v : v;
    }
    int64_t width = 1 << COLLAGE_SHIFT,
            cell = sum >= 0 ? sum / width : -((width - 1 - sum) / width);
    key = key * 1000003u + static_cast<uint32_t>(cell);
  }
  return (key * 0x9e3779b1u >> 8) % buckets;
}

void Collage::index() {
  for (uint32_t t = 0; t < COLLAGE_TABLES; t++) {
    std::vector<std::vector<uint32_t>> in(buckets);
    for (uint32_t i = 0; i < images; i++) {
      Hist h;
      memcpy(h.data(), &file[static_cast<size_t>(i) * pitch], sizeof h);
      in[bucket(h, t)].push_back(i);
    }
    uint32_t at = 0;
    for (const auto &b : in) {
      start.push_back(at);
      at += static_cast<uint32_t>(b.size());
      image.insert(image.end(), b.begin(), b.end());
    }
    start.push_back(at);
  }
}

void Collage::choose(const Hist &h) {
  std::vector<uint32_t> list;
  for (uint32_t t = 0; t < COLLAGE_TABLES; t++) {
    uint32_t b = t * (buckets + 1) + bucket(h, t);
    for (uint32_t k = start[b]; k < start[b + 1] && k < start[b] + COLLAGE_MOST; k++)
      if (std::find(list.begin(), list.end(), image[t * images + k]) == list.end())
        list.push_back(image[t * images + k]);
  }
  uint64_t best = UINT64_MAX;
  uint32_t choice = ~0u;
  for (uint32_t x : list) {
    Hist o;
    uint64_t d = 0;
    memcpy(o.data(), &file[static_cast<size_t>(x) * pitch], sizeof o);
    for (uint32_t i = 0; i < COLLAGE_BINS; i++) {
      int64_t v = static_cast<int64_t>(o[i]) - h[i];
      d += static_cast<uint64_t>(v * v);
    }
    if (d < best || (d == best && x < choice)) best = d, choice = x;
  }
  look.push_back(list);
  want.push_back(choice);
}
