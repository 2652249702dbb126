/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of small numbers of one type, in each layout.
 */

/* A matrix of small numbers laid out in one of LAYOUTS ways. */
static THTensor *THTensor_(laid)(enum layout layout, long rows, long columns)
{
    THTensor *whole = THTensor_(newWithSize2d)(rows + 2, columns + 3);
    THTensor *part = THTensor_(new)();

    TH_TENSOR_APPLY(real, whole, *whole_data = (real)draw(-3, 4);)
    switch (layout) {
    case ROWS:
        THTensor_(resize2d)(whole, rows, columns);
        THTensor_(set)(part, whole);
        break;
    case COLUMNS:
        THTensor_(resize2d)(whole, columns, rows);
        THTensor_(transpose)(part, whole, 0, 1);
        break;
    case PART_OF_ROWS:
        THTensor_(narrow)(part, whole, 0, 1, rows);
        THTensor_(narrow)(part, part, 1, 2, columns);
        break;
    case STEPPED:
        THTensor_(resize3d)(whole, rows, columns, 2);
        TH_TENSOR_APPLY(real, whole, *whole_data = (real)draw(-3, 4);)
        THTensor_(select)(part, whole, 2, 1);
        break;
    case REPEATED:
        THTensor_(resize2d)(whole, 1, columns);
        THTensor_(set)(part, whole);
        part->size[0] = rows;
        part->stride[0] = 0;
        break;
    default:
        THError("no such layout");
    }
    THTensor_(free)(whole);
    return part;
}
