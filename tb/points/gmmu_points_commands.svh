// SPDX-License-Identifier: Apache-2.0
// Bins of a coverpoint: kinds of invalidation, as gmmu_points_command.svh numbers them.
bins everything = {0};
bins address_space = {2};
bins pages = {3};
bins frame = {4};
bins frames = {5};
