// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <time.h>

#include "array.h"
#include "chart.h"

#define ROWS		8
#define LABEL		9
#define NS_PER_SECOND	INT64_C(1000000000)
#define SECONDS_PER_DAY	86400

/* Eighths of a block, from none on. */
static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

size_t chart_plot_buckets(unsigned int columns)
{
	size_t count = columns > LABEL + 2 ? columns - LABEL - 2 : 1;

	return count < CHART_BUCKETS_MAX ? count : CHART_BUCKETS_MAX;
}

/* What is seen of a bar in a row; one that is not 0 is never invisible. */
static const char *cell(const struct chart_bucket *bucket, double value, double top, int row,
			bool utf8)
{
	int eighths = (int)(value / top * ROWS * 8 + 0.5) - row * 8;

	if (!row && value > 0 && eighths < 1)
		eighths = 1;
	if (!row && !bucket->watched)
		return utf8 ? "·" : ".";
	if (eighths <= 0)
		return " ";
	if (utf8)
		return blocks[eighths < 8 ? eighths : 8];
	return eighths >= 4 || !row ? "#" : " ";
}

static void plot_bars(const struct chart *chart, FILE *out, bool utf8, bool usec)
{
	double top = chart_top(chart, usec);
	size_t i;
	int row;

	fprintf(out, "%*s\n", LABEL, usec ? "SMM us" : "SMI#");
	for (row = ROWS - 1; row >= 0; row--) {
		if (row == ROWS - 1)
			fprintf(out, "%*.10g %s", LABEL, top, utf8 ? "┤" : "|");
		else
			fprintf(out, "%*s %s", LABEL, "", utf8 ? "│" : "|");
		for (i = 0; i < chart->count; i++)
			fputs(cell(&chart->bucket[i], chart_value(&chart->bucket[i], usec), top, row, utf8),
			      out);
		fputc('\n', out);
	}
}

static void format_time(const struct chart *chart, int64_t ns, char *text, size_t size)
{
	bool days = chart->until_ns - chart->since_ns >= SECONDS_PER_DAY * NS_PER_SECOND;
	time_t seconds = ns / NS_PER_SECOND;
	struct tm tm;

	localtime_r(&seconds, &tm);
	if (!strftime(text, size, days ? "%m-%d %H:%M" : "%H:%M:%S", &tm))
		*text = '\0';
}

static void plot_axis(const struct chart *chart, FILE *out, bool utf8)
{
	char from[16], to[16];
	size_t i;
	int space;

	fprintf(out, "%*d %s", LABEL, 0, utf8 ? "└" : "+");
	for (i = 0; i < chart->count; i++)
		fputs(utf8 ? "─" : "-", out);
	format_time(chart, chart->since_ns, from, sizeof(from));
	format_time(chart, chart->until_ns, to, sizeof(to));
	space = (int)chart->count - (int)strlen(from) - (int)strlen(to);
	fprintf(out, "\n%*s%s%*s%s\n", LABEL + 2, "", from, space > 1 ? space : 1, "", to);
}

void chart_plot(const struct chart *chart, FILE *out, bool utf8)
{
	plot_bars(chart, out, utf8, false);
	plot_axis(chart, out, utf8);
	plot_bars(chart, out, utf8, true);
	plot_axis(chart, out, utf8);
}
