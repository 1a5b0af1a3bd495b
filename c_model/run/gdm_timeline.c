/* SPDX-License-Identifier: Apache-2.0 */
/* Timeline of a run as an SVG: kernel engines, copy engines, memory of each application. */
#include <stdlib.h>
#include <string.h>

#include "run/gdm_run.h"

#define WIDTH 1400
#define LEFT 120
#define LANE 26
#define MEMORY 120
#define MAX_EVENTS (1u << 22)

void gdm_timeline_event(void *arg, const struct gdm_event *e) {
  struct gdm_timeline *t = arg;
  if (t->full) return;
  if (t->n == t->room) {
    size_t room = t->room ? 2 * t->room : 1024;
    struct gdm_event *p = room > MAX_EVENTS ? NULL : realloc(t->event, room * sizeof *p);
    if (!p) {
      t->full = true;
      return;
    }
    t->event = p;
    t->room = room;
  }
  t->event[t->n] = *e;
  t->event[t->n++].name = NULL; /* not ours */
}

struct picture {
  FILE *f;
  double ns; /* of the whole width */
  const struct gdm_timeline *t;
  unsigned apps[GDM_RUN_APPS + 1]; /* ASIDs in order of appearance: colours go by it */
  int num_apps;
};

static const char *const app_colour[] = {"#2f6db5", "#d9722b", "#3c9a54", "#8a4fae",
                                         "#b0402f", "#5f8f9f", "#9b8a2d", "#6b6b6b"};

static double x_of(const struct picture *p, uint64_t ns) {
  return LEFT + (double)ns / p->ns * (WIDTH - LEFT - 10);
}

static int app_of(struct picture *p, unsigned asid) {
  for (int i = 0; i < p->num_apps; i++)
    if (p->apps[i] == asid) return i;
  if (p->num_apps == GDM_RUN_APPS) return GDM_RUN_APPS - 1;
  p->apps[p->num_apps] = asid;
  return p->num_apps++;
}

/* Where a lane's pixels have been drawn: neighbours of one colour become one rectangle. */
struct bar {
  double from, to;
  const char *colour;
};
static void flush(const struct picture *p, struct bar *b, double y) {
  if (b->colour)
    fprintf(p->f, "<rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
            b->from, y, b->to - b->from < 0.3 ? 0.3 : b->to - b->from, LANE - 6, b->colour);
  b->colour = NULL;
}
static void draw(const struct picture *p, struct bar *b, double y, uint64_t start, uint64_t end,
                 const char *colour) {
  double from = x_of(p, start), to = x_of(p, end);
  if (b->colour == colour && from - b->to < 0.25) {
    b->to = to;
    return;
  }
  flush(p, b, y);
  *b = (struct bar){from, to, colour};
}

static void lane(struct picture *p, double y, const char *name, unsigned engine, bool kernels) {
  struct bar b = {0};
  fprintf(p->f, "<text x=\"4\" y=\"%.0f\">%s %u</text>\n", y + 14, name, engine);
  for (size_t i = 0; i < p->t->n; i++) {
    const struct gdm_event *e = &p->t->event[i];
    bool kernel = e->kind == GDM_EVENT_KERNEL || e->kind == GDM_EVENT_SIGN,
         copy = e->kind >= GDM_EVENT_HTOD && e->kind <= GDM_EVENT_EVICT;
    if (e->engine != engine || !(kernels ? kernel : copy)) continue;
    const char *c = e->kind == GDM_EVENT_SIGN    ? "#222222"
                    : e->kind == GDM_EVENT_EVICT ? "#cc2222"
                                                 : app_colour[app_of(p, e->asid)];
    draw(p, &b, y, e->start_ns, e->end_ns, c);
  }
  flush(p, &b, y);
}

static void memory(struct picture *p, double y, int app, uint64_t device) {
  double x = LEFT, last = 0;
  fprintf(p->f, "<path fill=\"%s\" fill-opacity=\"0.6\" stroke=\"none\" d=\"M%d %.1f",
          app_colour[app], LEFT, y + MEMORY);
  for (size_t i = 0; i < p->t->n; i++) {
    const struct gdm_event *e = &p->t->event[i];
    if (e->kind != GDM_EVENT_MEMORY || app_of(p, e->asid) != app) continue;
    double at = x_of(p, e->end_ns), h = (double)e->bytes / (double)device * MEMORY;
    if (at - x >= 0.25) {
      fprintf(p->f, "L%.1f %.1fL%.1f %.1f", x, y + MEMORY - last, at, y + MEMORY - last);
      x = at;
    }
    last = h;
  }
  fprintf(p->f, "L%.1f %.1fL%d %.1fL%d %.1fZ\"/>\n", x, y + MEMORY - last, WIDTH - 10,
          y + MEMORY - last, WIDTH - 10, y + MEMORY);
  fprintf(p->f,
          "<rect x=\"%d\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
          LEFT, y, WIDTH - 10 - LEFT, MEMORY);
}

void gdm_timeline_svg(FILE *f, const struct gdm_timeline *t, const struct gdm_run *r) {
  struct picture p = {.f = f, .t = t, .ns = 1};
  uint64_t device = r->cfg.device_bytes ? r->cfg.device_bytes : (1400ull << 20) / r->cfg.scale;
  for (size_t i = 0; i < t->n; i++)
    if ((double)t->event[i].end_ns > p.ns) p.ns = (double)t->event[i].end_ns;
  for (size_t i = 0; i < t->n; i++) (void)app_of(&p, t->event[i].asid);
  double lanes = (r->cfg.kernel_engines + r->cfg.copy_engines) * LANE,
         height = 40 + lanes + p.num_apps * (MEMORY + 10) + 30;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n",
          WIDTH, height);
  fprintf(f,
          "<rect width=\"%d\" height=\"%.0f\" fill=\"white\"/>\n<text x=\"%d\" y=\"16\">0 to %.3f "
          "ms. Black: signatures. Red: evictions.",
          WIDTH, height, LEFT, p.ns * 1e-6);
  if (t->full) fputs(" The events after the first four millions are left out.", f);
  fputs("</text>\n", f);
  double y = 30;
  for (unsigned i = 0; i < r->cfg.kernel_engines; i++, y += LANE) lane(&p, y, "kernels", i, true);
  for (unsigned i = 0; i < r->cfg.copy_engines; i++, y += LANE) lane(&p, y, "copies", i, false);
  for (int i = 0; i < p.num_apps; i++, y += MEMORY + 10) {
    const char *who = "";
    for (int k = 0; k < r->num_apps; k++)
      who = r->app[k].asid == p.apps[i] ? r->app[k].prog->name : who;
    fprintf(f,
            "<text x=\"4\" y=\"%.0f\" fill=\"%s\">ASID %u %s</text><text x=\"4\" "
            "y=\"%.0f\">memory, of</text><text x=\"4\" y=\"%.0f\">%.1f MB</text>\n",
            y + 14, app_colour[i], p.apps[i], who, y + 30, y + 44, (double)device / 1048576.0);
    memory(&p, y, i, device);
  }
  fputs("</svg>\n", f);
}
