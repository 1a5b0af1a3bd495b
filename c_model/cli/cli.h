/* SPDX-License-Identifier: Apache-2.0 */
/** cli.h - subcommands that need nothing but their arguments. argv[0] is the subcommand's name;
 * exit status 0, 1 (error) or 2 (usage). */
#ifndef GMMU_CLI_CLI_H
#define GMMU_CLI_CLI_H

int gmmu_cmd_gdm(int argc, char **argv);
int gmmu_cmd_gen(int argc, char **argv);
int gmmu_cmd_info(int argc, char **argv);
int gmmu_cmd_vectors(int argc, char **argv);

#endif
