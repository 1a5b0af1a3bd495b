// SPDX-License-Identifier: Apache-2.0
// Bins of a coverpoint: how a walk ends that memory was read for.
bins ok = {gmmu_pkg::CAUSE_OK};
bins invalid = {gmmu_pkg::CAUSE_PF_INVALID};
bins write_only = {gmmu_pkg::CAUSE_PF_WRITE_ONLY};
bins no_leaf = {gmmu_pkg::CAUSE_PF_NO_LEAF};
bins nonleaf_adu = {gmmu_pkg::CAUSE_PF_NONLEAF_ADU};
bins accessed = {gmmu_pkg::CAUSE_PF_ACCESSED};
bins misaligned = {gmmu_pkg::CAUSE_PF_MISALIGNED};
bins reserved_bit = {gmmu_pkg::CAUSE_PF_RESERVED};
bins walk_window = {gmmu_pkg::CAUSE_AF_WALK_WINDOW};
bins ppn_window = {gmmu_pkg::CAUSE_AF_PPN_WINDOW};
bins ppn_width = {gmmu_pkg::CAUSE_AF_PPN_WIDTH};
bins memory = {gmmu_pkg::CAUSE_AF_MEM};
