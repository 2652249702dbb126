/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storages of one type.
 */
#ifndef TH_GENERIC_FILE
#define TH_GENERIC_FILE "th_storage.tmpl.h"
#else

/* Copy a storage of one type to one of the template's type. */
#define COPY(From)                                                                     \
    do {                                                                               \
        TH##From##Storage *const from_ = TH##From##Storage_newWithSize(3);             \
                                                                                       \
        memset(TH##From##Storage_data(from_), 0, 3 * TH##From##Storage_elementSize()); \
        THStorage_(fill)(two, N(5));                                                   \
        THStorage_(copy##From)(two, from_);                                            \
        CHECK(V(THStorage_(get)(two, 2)) == 0);                                        \
        TH##From##Storage_free(from_);                                                 \
    } while (0)

static void TH_CONCAT_2(check_storage_, Real)(void)
{
    THStorage *one = THStorage_(newWithSize4)(N(1), N(2), N(3), N(4));
    THStorage *two = THStorage_(newWithSize3)(N(7), N(8), N(9));
    THStorage *const few[] = {
        THStorage_(new)(),
        THStorage_(newWithSize)(0),
        THStorage_(newWithSize1)(N(1)),
        THStorage_(newWithSize2)(N(1), N(2)),
        THStorage_(newWithAllocator)(2, &THDefaultAllocator, NULL),
        THStorage_(newWithData)(THAlloc(2 * sizeof(real)), 2),
        THStorage_(newWithDataAndAllocator)(THAlloc(sizeof(real)), 1,
                                            &THDefaultAllocator, NULL)};
    static const ptrdiff_t sizes[] = {0, 0, 1, 2, 2, 2, 1};

    for (size_t k = 0; k < sizeof few / sizeof *few; k++) {
        CHECK(THStorage_(size)(few[k]) == sizes[k]);
        THStorage_(free)(few[k]);
    }
    CHECK(THStorage_(size)(one) == 4 && THStorage_(elementSize)() == sizeof(real));
    CHECK(V(THStorage_(data)(one)[3]) == 4 && V(THStorage_(get)(one, 1)) == 2);
    THStorage_(set)(one, 1, N(6));
    CHECK(V(one->data[1]) == 6 && one->size == 4 && one->refcount == 1);
    THStorage_(retain)(one);
    CHECK(one->refcount == 2);
    THStorage_(free)(one);
    THStorage_(swap)(one, two);
    CHECK(one->size == 3 && V(one->data[2]) == 9);
    THStorage_(rawCopy)(one, two->data);
    CHECK(V(one->data[1]) == 6);
    THStorage_(resize)(two, 3);
    THStorage_(fill)(two, N(5));
    THStorage_(copy)(one, two);
    CHECK(V(one->data[0]) == 5 && two->size == 3);
    THStorage_(clearFlag)(two, TH_STORAGE_RESIZABLE);
    CHECK(!(two->flag & TH_STORAGE_RESIZABLE));
    THStorage_(setFlag)(two, TH_STORAGE_RESIZABLE);
    CHECK(two->flag & TH_STORAGE_RESIZABLE);
    COPY(Byte);
    COPY(Char);
    COPY(Short);
    COPY(Int);
    COPY(Long);
    COPY(Float);
    COPY(Double);
    COPY(Half);
    THStorage_(free)(two);
    THStorage_(free)(one);
}

#undef COPY
#endif
