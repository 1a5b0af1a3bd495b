/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt/program.h"

static int place(const char *path, const Elf32_Phdr *p, const uint8_t *file, size_t size,
                 uint32_t *imem, uint32_t imem_words, uint32_t *words, uint8_t *memory,
                 uint32_t bytes, struct gmmu_err *err) {
  if (p->p_type != PT_LOAD || p->p_memsz == 0) return 0;
  if (p->p_offset > size || p->p_filesz > size - p->p_offset || p->p_filesz > p->p_memsz)
    return gmmu_fail(err, "%s: damaged", path);
  if (p->p_flags & PF_X) {
    if (p->p_vaddr || p->p_memsz > imem_words * UINT64_C(4))
      return gmmu_fail(err, "%s: code does not fit at 0", path);
    memset(imem, 0, imem_words * (size_t)4);
    memcpy(imem, file + p->p_offset, p->p_filesz);
    *words = (p->p_memsz + 3) / 4;
    return 0;
  }
  if (p->p_vaddr > bytes || p->p_memsz > bytes - p->p_vaddr)
    return gmmu_fail(err, "%s: data does not fit", path);
  memset(memory + p->p_vaddr, 0, p->p_memsz);
  memcpy(memory + p->p_vaddr, file + p->p_offset, p->p_filesz);
  return 0;
}

static uint8_t *slurp(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  uint8_t *data = NULL;
  long n = -1;
  if (f && !fseek(f, 0, SEEK_END) && (n = ftell(f)) > 0 && !fseek(f, 0, SEEK_SET) &&
      (data = malloc((size_t)n)) && fread(data, 1, (size_t)n, f) != (size_t)n) {
    free(data);
    data = NULL;
  }
  if (f) fclose(f);
  *size = data ? (size_t)n : 0;
  return data;
}

int simt_elf(const char *path, uint32_t *imem, uint32_t imem_words, uint32_t *words,
             uint8_t *memory, uint32_t bytes, struct gmmu_err *err) {
  size_t size;
  uint8_t *file = slurp(path, &size);
  const Elf32_Ehdr *e = (const Elf32_Ehdr *)file;
  int r = 0;
  *words = 0;
  if (!file) return gmmu_fail(err, "%s: cannot be read", path);
  if (size < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) ||
      e->e_ident[EI_CLASS] != ELFCLASS32 || e->e_machine != EM_RISCV ||
      e->e_phentsize != sizeof(Elf32_Phdr) || e->e_phoff % 4 || e->e_phoff > size ||
      e->e_phnum * sizeof(Elf32_Phdr) > size - e->e_phoff)
    r = gmmu_fail(err, "%s: not an ELF program of RV32", path);
  const Elf32_Phdr *p = r ? NULL : (const Elf32_Phdr *)(file + e->e_phoff);
  for (int i = 0; !r && i < e->e_phnum; i++)
    r = place(path, &p[i], file, size, imem, imem_words, words, memory, bytes, err);
  if (!r && !*words) r = gmmu_fail(err, "%s: no code", path);
  free(file);
  return r;
}
