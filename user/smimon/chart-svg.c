// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "chart.h"

#define WIDTH		900
#define HEIGHT		420
#define LEFT		80
#define RIGHT		20
#define TOP		50
#define PANEL		140
#define GAP		45
#define TICKS		6
#define LINES		5
#define NS_PER_SECOND	INT64_C(1000000000)
#define SECONDS_PER_DAY	86400

struct panel {
	const char *title;
	const char *colour;
	bool usec;
	double y;
};

static double x_of(const struct chart *chart, double bucket)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * bucket / (double)chart->count;
}

static void text(FILE *out, double x, double y, const char *anchor, const char *words)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
		words);
}

static void draw_scale(FILE *out, const struct panel *panel, double top)
{
	char label[32];
	int i;

	for (i = 0; i <= LINES; i++) {
		double y = panel->y + PANEL - (double)PANEL * i / LINES;

		fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, y, WIDTH - RIGHT);
		snprintf(label, sizeof(label), "%.10g", top * i / LINES);
		text(out, LEFT - 6, y + 4, "end", label);
	}
	fprintf(out, "<text class=\"title\" x=\"%d\" y=\"%.1f\">%s</text>\n", LEFT, panel->y - 8,
		panel->title);
}

/* Neighbours that were not watched are one area. */
static void draw_unwatched(const struct chart *chart, FILE *out, const struct panel *panel)
{
	size_t i, first;

	for (i = 0; i < chart->count; i++) {
		if (chart->bucket[i].watched)
			continue;
		for (first = i; i < chart->count && !chart->bucket[i].watched; i++)
			;
		fprintf(out, "<rect class=\"unwatched\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\"/>\n",
			x_of(chart, first), panel->y, x_of(chart, i) - x_of(chart, first), PANEL);
	}
}

static void draw_bars(const struct chart *chart, FILE *out, const struct panel *panel, double top)
{
	double width = x_of(chart, 1) - x_of(chart, 0);
	size_t i;

	for (i = 0; i < chart->count; i++) {
		double height = PANEL * chart_value(&chart->bucket[i], panel->usec) / top;

		if (!(height > 0))
			continue;
		if (height < 1)
			height = 1;
		fprintf(out, "<rect fill=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
			panel->colour, x_of(chart, i), panel->y + PANEL - height,
			width > 3 ? width - 1 : width, height);
	}
}

static void draw_times(const struct chart *chart, FILE *out, const struct panel *panel)
{
	bool days = chart->until_ns - chart->since_ns >= SECONDS_PER_DAY * NS_PER_SECOND;
	int i;

	for (i = 0; i <= TICKS; i++) {
		double x = LEFT + (double)(WIDTH - LEFT - RIGHT) * i / TICKS;
		time_t seconds = (chart->since_ns +
				  (chart->until_ns - chart->since_ns) / TICKS * i) / NS_PER_SECOND;
		char label[32] = "";
		struct tm tm;

		localtime_r(&seconds, &tm);
		strftime(label, sizeof(label), days ? "%m-%d %H:%M" : "%H:%M:%S", &tm);
		fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fv5\"/>\n", x, panel->y + PANEL);
		text(out, x, panel->y + PANEL + 18, i == TICKS ? "end" : i ? "middle" : "start",
		     label);
	}
}

static void draw_panel(const struct chart *chart, FILE *out, const struct panel *panel)
{
	double top = chart_top(chart, panel->usec);

	draw_unwatched(chart, out, panel);
	draw_scale(out, panel, top);
	draw_bars(chart, out, panel, top);
	fprintf(out, "<path class=\"axis\" d=\"M%d %.1fv%dH%d\"/>\n", LEFT, panel->y, PANEL,
		WIDTH - RIGHT);
	draw_times(chart, out, panel);
}

static void draw_title(const struct chart *chart, FILE *out)
{
	time_t since = chart->since_ns / NS_PER_SECOND, until = chart->until_ns / NS_PER_SECOND;
	char from[32] = "", to[32] = "";
	struct tm tm;

	localtime_r(&since, &tm);
	strftime(from, sizeof(from), "%Y-%m-%d %H:%M:%S", &tm);
	localtime_r(&until, &tm);
	strftime(to, sizeof(to), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(out, "<text class=\"title\" x=\"%d\" y=\"20\">System management interrupts, %s to %s</text>\n",
		LEFT, from, to);
}

void chart_svg(const struct chart *chart, FILE *out)
{
	double seconds = (double)chart_bucket_ns(chart) / NS_PER_SECOND;
	char smis[64], usec[64];
	struct panel panels[] = {
		{ .title = smis, .colour = "#3465a4", .usec = false, .y = TOP },
		{ .title = usec, .colour = "#cc4400", .usec = true, .y = TOP + PANEL + GAP },
	};

	snprintf(smis, sizeof(smis), "SMIs in %.4g s", seconds);
	snprintf(usec, sizeof(usec), "us in SMM in %.4g s", seconds);
	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
		" font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\n", WIDTH, HEIGHT, WIDTH,
		HEIGHT);
	fputs("<style>.title{font-size:13px;font-weight:bold}.grid{stroke:#ddd;fill:none}"
	      ".axis{stroke:#333;fill:none}.unwatched{fill:url(#hatch)}</style>\n"
	      "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
	      " patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f4f4f4\"/>"
	      "<path d=\"M0 0V6\" stroke=\"#ccc\" stroke-width=\"2\"/></pattern></defs>\n"
	      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
	draw_title(chart, out);
	draw_panel(chart, out, &panels[0]);
	draw_panel(chart, out, &panels[1]);
	text(out, WIDTH - RIGHT, HEIGHT - 8, "end", "hatched: not watched");
	fputs("</svg>\n", out);
}
