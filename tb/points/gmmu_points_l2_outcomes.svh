// SPDX-License-Identifier: Apache-2.0
// Bins of a coverpoint: what a lookup of the L2 TLB finds (rtl/observation.txt).
bins hit_base = {0};
bins hit_large = {1};
bins alloc = {2};
bins merge = {3};
bins waits = {4};
bins hit_sub = {5};
bins hit_run = {6};
bins hit_bypass = {7};
