#include "gmmu.h"
const struct gmmu_workload *gmmu_workload_find(const char *n){(void)n;return 0;}
const struct gmmu_workload *gmmu_workload_at(size_t i){(void)i;return 0;}
