/* SPDX-License-Identifier: Apache-2.0 */
/** machine.h - the built-in hardware of struct gdm_machine: registers of the gmmu, the L2 TLB's
 * policy model in front of a walk of the tables in device memory, data memory as bytes of the host.
 */
#ifndef GMMU_GDM_MACHINE_H
#define GMMU_GDM_MACHINE_H

#include "gmmu_gdm.h"

struct gdm_model;
/** svadu: a build that sets A and D. NULL: out of memory. */
struct gdm_model *gdm_model_new(uint64_t device_bytes, bool svadu);
void gdm_model_free(struct gdm_model *m);
/** Its functions; good until gdm_model_free(). */
void gdm_model_machine(struct gdm_model *m, struct gdm_machine *out);

#endif
