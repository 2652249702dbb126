/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The vote at the head of each collective call.  It is the first message of every call,
 * so that two different calls which meet are an error on all ranks, not a deadlock.
 */
#include "mpi/carry/carry.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MESSAGE  1024 /* bytes of an error message, cut to that */
#define STATUSES 64   /* more than there are */

/* ---- ballots ---- */

void bli_ballot_begin(struct bli_ballot *ballot, const char *function)
{
    ballot->function = function;
    ballot->hash = UINT64_C(0xcbf29ce484222325);
    ballot->text[0] = '\0';
    bli_ballot_bytes(ballot, function, strlen(function));
}

void bli_ballot_number(struct bli_ballot *ballot, int64_t number)
{
    uint64_t h = ballot->hash ^ (uint64_t)number;

    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    ballot->hash = (h ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

void bli_ballot_bytes(struct bli_ballot *ballot, const void *bytes, size_t count)
{
    const unsigned char *const byte = bytes;

    bli_ballot_number(ballot, (int64_t)count);
    for (size_t i = 0; i < count; i++)
        bli_ballot_number(ballot, byte[i]);
}

void bli_ballot_spread(struct bli_ballot *ballot, const struct bli_spread *spread)
{
    bli_ballot_number(ballot, spread->root);
    bli_ballot_number(ballot, spread->rank);
    for (int32_t d = 0; d < spread->rank; d++) {
        bli_ballot_number(ballot, spread->extent[d]);
        bli_ballot_number(ballot, bli_spread_dim(spread, d).axis);
        if (spread->axis[d] == BLI_WHOLE)
            continue;
        const struct bli_borders *const cut = &spread->cut[spread->axis[d]];

        for (int32_t p = 0; p <= cut->parts; p++)
            bli_ballot_number(ballot, cut->border[p]);
    }
}

void bli_ballot_options(struct bli_ballot *ballot, const bl_options *options)
{
    bli_ballot_number(ballot, options != NULL);
    if (!options || options->size < offsetof(bl_options, names) ||
        options->size > BLI_MOST_SIZE)
        return; /* a size that the call refuses */
    bli_ballot_number(ballot, options->axis);
    bli_ballot_number(ballot, (int64_t)options->dtype);
    bli_ballot_number(ballot, options->fixed);
    bli_ballot_bytes(ballot, &options->max_growth, sizeof options->max_growth);
    if (options->rules && options->rules->name)
        bli_ballot_bytes(ballot, options->rules->name, strlen(options->rules->name));
    if (options->size < sizeof *options || !options->alpha)
        return;
    bli_ballot_number(ballot, (int64_t)options->alpha->dtype);
    bli_ballot_bytes(ballot, &options->alpha->value,
                     bl_dtype_size(options->alpha->dtype));
}

void bli_ballot_text(struct bli_ballot *ballot, const char *format, ...)
{
    const size_t length = strlen(ballot->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(ballot->text + length, sizeof ballot->text - length, format, arguments);
    va_end(arguments);
}

void bli_ballot_shape(struct bli_ballot *ballot, bl_dtype dtype, int32_t rank,
                      const int64_t *extent)
{
    const char *const name = bl_dtype_name(dtype);

    bli_ballot_number(ballot, (int64_t)dtype);
    bli_ballot_text(ballot, "%s%s[", ballot->text[0] ? ", " : "", name ? name : "");
    for (int32_t d = 0; d < rank; d++) {
        bli_ballot_number(ballot, extent[d]);
        bli_ballot_text(ballot, "%s%" PRId64, d > 0 ? "," : "", extent[d]);
    }
    bli_ballot_text(ballot, "]");
}

/* ---- votes ---- */

/* Set the error that all ranks refuse a call with: the message of rank `who`. */
static bl_status refuse_together(struct bli_link *link, bl_status status, int32_t who,
                                 bool by_all)
{
    char text[MESSAGE] = "";

    if (link->self == who)
        snprintf(text, sizeof text, "%s", bl_error_message());
    const int code = MPI_Bcast(text, sizeof text, MPI_BYTE, who, link->comm);

    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Bcast", code);
    return by_all ? bl_error_set(status, "%s", text)
                  : bl_error_set(status, "rank %" PRId32 ": %s", who, text);
}

/* The ranks make different calls: say those of rank 0 and of the first other one. */
static bl_status refuse_difference(struct bli_link *link,
                                   const struct bli_ballot *ballot, uint64_t hash)
{
    struct {
        uint64_t hash;
        char text[sizeof ballot->text + 64];
    } said[2];
    int code, first;

    memset(said, 0, sizeof said);
    for (int i = 0; i < 2; i++) {
        said[i].hash = hash;
        snprintf(said[i].text, sizeof said[i].text, "%s(%s)", ballot->function,
                 ballot->text);
    }
    code = MPI_Bcast(&said[0], sizeof said[0], MPI_BYTE, 0, link->comm);
    first = said[0].hash != hash ? link->self : link->ranks - 1;
    if (code == MPI_SUCCESS)
        code = MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, link->comm);
    if (code == MPI_SUCCESS)
        code = MPI_Bcast(&said[1], sizeof said[1], MPI_BYTE, first, link->comm);
    if (code != MPI_SUCCESS)
        return bli_link_fail(link, "MPI_Bcast", code);
    return bl_error_set(
        BL_ERR_ARGUMENT, "ranks make different calls: rank 0 %s, rank %d %s%s",
        said[0].text, first, said[1].text,
        strcmp(said[0].text, said[1].text) == 0 ? ", with other borders or options"
                                                : "");
}

bl_status bli_mpi_vote(struct bli_link *link, const struct bli_ballot *ballot,
                       bl_status status)
{
    struct bli_ballot numbered;

    numbered.hash = ballot->hash;
    bli_ballot_number(&numbered, link->calls++);
    const int64_t h = (int64_t)(numbered.hash >> 2);
    /* The lowest rank that refuses, with its status; hashes; whether one does not. */
    int64_t word[BLI_VOTE_WORDS] = {
        status == BL_OK ? 0 : (int64_t)(link->ranks - link->self) * STATUSES + status,
        h, -h, status == BL_OK};
    const bool is_shared = bli_shared_has_votes(link);
    const int code = is_shared ? bli_shared_vote(link, link->calls, word)
                               : MPI_Allreduce(MPI_IN_PLACE, word, BLI_VOTE_WORDS,
                                               MPI_INT64_T, MPI_MAX, link->comm);

    if (code != MPI_SUCCESS)
        return bli_link_fail(link, is_shared ? "MPI_Iprobe" : "MPI_Allreduce", code);
    const bool is_one_call = word[1] == -word[2];

    if (word[0] != 0)
        return refuse_together(link, (bl_status)(word[0] % STATUSES),
                               link->ranks - (int32_t)(word[0] / STATUSES),
                               is_one_call && word[3] == 0);
    return is_one_call ? BL_OK : refuse_difference(link, ballot, numbered.hash);
}
