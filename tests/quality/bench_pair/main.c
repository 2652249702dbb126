/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the speed of two builds of the library in one process, cell by cell.  The
 * exit status is 1 where a bound is broken (report.h), 2 where nothing was measured.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "report.h"
#include "round.h"

enum { ROUNDS = 7, THREADS = 2, ERROR = 2 };

static const char usage[] =
    "usage: bench_pair [option]... OLD NEW, two builds' libbroadloom.so.1\n"
    "  --op NAME,...     these operators alone\n"
    "  --dtype NAME,...  these dtypes alone\n"
    "  --shape NAME,...  these shapes alone\n"
    "  --rounds N        rounds of a cell; 7\n"
    "  --threads N       threads of `large` cells; 2\n"
    "  --tsv FILE        write the ratios of all cells there, too\n"
    "BROADLOOM_ISA is the instruction set of both.\n";

static struct settings {
    const char *op, *dtype, *shape, *tsv; /* NULL: all, none */
    int rounds;
    struct round_settings round;
} settings = {.rounds = ROUNDS, .round = {.threads = THREADS}};

/* Whether a list of names separated by commas, or NULL for all, has this name. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    while (list != NULL && *list != '\0') {
        const size_t next = strcspn(list, ",");

        if (next == length && strncmp(list, name, length) == 0)
            return true;
        list += next + (list[next] == ',');
    }
    return list == NULL;
}

static bool read_number(const char *text, int most, int *number)
{
    char *end;
    const long value = strtol(text, &end, 10);

    *number = (int)value;
    return *end == '\0' && value >= 1 && value <= most;
}

static bool read_arguments(int argc, char **argv)
{
    static const struct option options[] = {{"op", required_argument, NULL, 'o'},
                                            {"dtype", required_argument, NULL, 'd'},
                                            {"shape", required_argument, NULL, 's'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"tsv", required_argument, NULL, 'f'},
                                            {NULL, 0, NULL, 0}};
    bool pass = true;
    int letter;

    while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (letter) {
        case 'o':
            settings.op = optarg;
            break;
        case 'd':
            settings.dtype = optarg;
            break;
        case 's':
            settings.shape = optarg;
            break;
        case 'f':
            settings.tsv = optarg;
            break;
        case 'r':
            pass = read_number(optarg, MAX_ROUNDS, &settings.rounds) && pass;
            break;
        case 't':
            pass = read_number(optarg, 1024, &settings.round.threads) && pass;
            break;
        default:
            pass = false;
        }
    }
    if (!pass || argc - optind != LIBRARIES) {
        fputs(usage, stderr);
        return false;
    }
    settings.round.path[OLD] = argv[optind];
    settings.round.path[NEW] = argv[optind + 1];
    return true;
}

/* What was compared, on which processor. */
static void print_head(const struct library *library)
{
    char line[256], processor[256] = "unknown";
    FILE *const file = fopen("/proc/cpuinfo", "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "model name : %255[^\n]", processor) == 1)
            break;
    if (file != NULL)
        fclose(file);
    printf(
        "# old %s, %s, new %s, %s; %s; %d rounds, %d threads where large; nanoseconds "
        "of an element, old; speed, new to old\n",
        library[OLD].version(), library[OLD].context_isa(NULL), library[NEW].version(),
        library[NEW].context_isa(NULL), processor, settings.rounds,
        settings.round.threads);
}

/* The cells that were asked for, not yet measured; returns how many. */
static int choose_cells(struct result *result)
{
    int count = 0;

    for (int k = 0; k < pair_count * SHAPES; k++)
        if (is_listed(settings.op, pairs[k / SHAPES].op) &&
            is_listed(settings.dtype, pairs[k / SHAPES].dtype) &&
            is_listed(settings.shape, shapes[k % SHAPES].name) && cell_exists(k))
            result[count++] = (struct result){.cell = k};
    return count;
}

static bool write_tsv(const struct result *result, int count)
{
    FILE *const file = fopen(settings.tsv, "w");

    if (file != NULL)
        report_tsv(file, result, count);
    if (file != NULL && fclose(file) == 0)
        return true;
    perror(settings.tsv);
    return false;
}

int main(int argc, char **argv)
{
    static struct library library[LIBRARIES];
    static struct result result[MAX_CELLS];

    if (round_is_meant(argc, argv))
        return round_main(argv);
    if (!read_arguments(argc, argv))
        return ERROR;
    for (int which = 0; which < LIBRARIES; which++)
        if (!library_open(settings.round.path[which], 1, &library[which]))
            return ERROR;
    print_head(library);

    const int count = choose_cells(result);

    if (count == 0 || !compare_cells(&settings.round, settings.rounds, result, count)) {
        fputs("bench_pair: not measured\n", stderr);
        return ERROR;
    }
    report_cells(stdout, result, count);

    const bool pass = report(stdout, result, count);

    if (settings.tsv != NULL && !write_tsv(result, count))
        return ERROR;
    return pass ? 0 : 1;
}
