/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The handler that prints: one line on standard error for each warning, by one write.
 */
#include "diag/warnings.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

void bl_warning_print(void *user, const bl_warning *warning)
{
    const int error = errno;
    char line[2048]; /* what does not fit is cut */
    struct bli_text text;

    (void)user;
    bli_text_open(&text, line, sizeof line - 1);
    if (warning->file)
        bli_text_add(&text, "%s:%" PRId32 ": ", warning->file, warning->line);
    else if (warning->address)
        bli_text_add(&text, "%p: ", warning->address);
    bli_text_add(&text, "UserWarning: %s [%s%s", warning->text, warning->function,
                 warning->count > 0 ? " " : "");
    bli_warning_shapes(&text, warning);
    bli_text_add(&text, "]");
    *text.at++ = '\n';
    (void)!write(STDERR_FILENO, line, (size_t)(text.at - line));
    errno = error;
}
