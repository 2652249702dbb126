/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes SVG.
 */
#include "svg.h"

#include "markup.h"

#include <inttypes.h>
#include <stdarg.h>

enum { TEXT_SIZE = 512, LABEL_SIZE = 2048 };

const char *svg_node_colour(int32_t node)
{
    /* Distinguishable with red-green colour blindness, neighbours above all. */
    static const char *const colour[] = {"#0b6cb3", "#c2500a", "#00795a", "#a43d80",
                                         "#6b5b00", "#4b4fc4", "#a32a2a", "#3f6b78"};

    return colour[node % 8];
}

#define FONTS "Helvetica, Arial, DejaVu Sans, sans-serif"

void svg_open(FILE *file, double width, double height, const char *title)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\"\n     font-family=\"" FONTS "\">\n<title>",
            width, height, width, height);
    markup_text(file, title, TEXT_SIZE * 2);
    fputs("</title>\n", file);
    svg_box(file, 0, 0, width, height, 0, "#ffffff", NULL);
}

void svg_open_inline(FILE *file, double width, double height, const char *text)
{
    fputs("<svg role=\"img\" aria-label=\"", file);
    markup_text(file, text, LABEL_SIZE);
    fprintf(file,
            "\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"" FONTS "\">\n",
            width, height, width, height);
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
    markup_text(file, text, TEXT_SIZE);
    fputs("</text>\n", file);
}

void svg_group(FILE *file, double size, const char *colour)
{
    fprintf(file, "<g font-size=\"%.0f\" text-anchor=\"middle\" fill=\"%s\">\n", size,
            colour);
}

void svg_group_end(FILE *file)
{
    fputs("</g>\n", file);
}

void svg_number(FILE *file, double x, double y, int64_t number)
{
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\">%" PRId64 "</text>\n", x, y, number);
}

void svg_dots(FILE *file, double x, double y)
{
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\">\xe2\x80\xa6</text>\n", x, y);
}
