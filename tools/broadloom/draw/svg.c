/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes SVG.
 */
#include "svg.h"

#include <stdarg.h>

enum { TEXT_SIZE = 512 };

const char *svg_node_colour(int32_t node)
{
    /* Distinguishable with red-green colour blindness, neighbours above all. */
    static const char *const colour[] = {"#0b6cb3", "#c2500a", "#00795a", "#a43d80",
                                         "#6b5b00", "#4b4fc4", "#a32a2a", "#3f6b78"};

    return colour[node % 8];
}

static void escaped(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        default:
            putc(*text, file);
        }
    }
}

void svg_open(FILE *file, double width, double height, const char *title)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\"\n     font-family=\"Helvetica, Arial, DejaVu "
            "Sans, sans-serif\">\n<title>",
            width, height, width, height);
    escaped(file, title);
    fputs("</title>\n", file);
    svg_box(file, 0, 0, width, height, 0, "#ffffff", NULL);
}

void svg_close(FILE *file)
{
    fputs("</svg>\n", file);
}

void svg_box(FILE *file, double x, double y, double width, double height, double round,
             const char *fill, const char *line)
{
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" "
            "fill=\"%s\" stroke=\"%s\"/>\n",
            x, y, width, height, round, fill ? fill : "none", line ? line : "none");
}

void svg_text(FILE *file, double x, double y, double size, enum svg_anchor anchor,
              const char *colour, const char *format, ...)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    char text[TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(file,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" text-anchor=\"%s\" "
            "fill=\"%s\">",
            x, y, size, anchors[anchor], colour);
    escaped(file, text);
    fputs("</text>\n", file);
}
