/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storages of one type: memory and references.
 */

/* Elements of a storage as an array; its extent is at `count`. */
static bl_array THStorage_(elements)(real *first, const int64_t *count)
{
    static const int64_t one = 1;

    return (bl_array){first, TH_DTYPE, 1, count, &one, 0};
}

/* Count elements that leave the library by the function in which this stands. */
#define TH_READ_ELEMENTS(how, first, count)                                            \
    do {                                                                               \
        const int64_t count_ = count;                                                  \
        const bl_array read_ = THStorage_(elements)(first, &count_);                   \
                                                                                       \
        TH_READ(how, &read_);                                                          \
    } while (0)

real *THStorage_(data)(const THStorage *self)
{
    TH_READ_ELEMENTS(BL_SHADOW_DATA, self->data, self->size);
    return self->data;
}

ptrdiff_t THStorage_(size)(const THStorage *self)
{
    return self->size;
}

size_t THStorage_(elementSize)(void)
{
    return sizeof(real);
}

void THStorage_(set)(THStorage *self, ptrdiff_t index, real value)
{
    THArgCheck(index >= 0 && index < self->size, 2, "out of bounds");
    self->data[index] = value;
}

real THStorage_(get)(const THStorage *self, ptrdiff_t index)
{
    THArgCheck(index >= 0 && index < self->size, 2, "out of bounds");
    TH_READ_ELEMENTS(BL_SHADOW_ITEM, self->data + index, 1);
    return self->data[index];
}

/* ---- create ---- */

THStorage *THStorage_(newWithDataAndAllocator)(real *data, ptrdiff_t size,
                                               THAllocator *allocator, void *context)
{
    THStorage *const storage = THAlloc(sizeof *storage);

    *storage = (THStorage){.data = data,
                           .size = size,
                           .refcount = 1,
                           .flag = TH_STORAGE_REFCOUNTED | TH_STORAGE_RESIZABLE |
                                   TH_STORAGE_FREEMEM,
                           .allocator = allocator,
                           .allocatorContext = context};
    return storage;
}

THStorage *THStorage_(newWithAllocator)(ptrdiff_t size, THAllocator *allocator,
                                        void *context)
{
    const ptrdiff_t bytes = (ptrdiff_t)sizeof(real) * size;

    return THStorage_(newWithDataAndAllocator)(allocator->malloc(context, bytes), size,
                                               allocator, context);
}

THStorage *THStorage_(newWithData)(real *data, ptrdiff_t size)
{
    return THStorage_(newWithDataAndAllocator)(data, size, &THDefaultAllocator, NULL);
}

THStorage *THStorage_(newWithSize)(ptrdiff_t size)
{
    return THStorage_(newWithAllocator)(size, &THDefaultAllocator, NULL);
}

THStorage *THStorage_(newWithMapping)(const char *filename, ptrdiff_t size, int flags)
{
    void *data;
    THMapAllocatorContext *const context =
        th_map_new(filename, flags, sizeof(real), &size, &data);
    THStorage *self;

    if (!context)
        return NULL;
    self = THStorage_(newWithDataAndAllocator)(data, size, &THMapAllocator, context);
    THStorage_(clearFlag)(self, TH_STORAGE_RESIZABLE);
    return self;
}

THStorage *THStorage_(new)(void)
{
    return THStorage_(newWithSize)(0);
}

/* A new storage with copies of `count` elements. */
static THStorage *THStorage_(newOf)(int count, const real *elements)
{
    THStorage *const self = THStorage_(newWithSize)(count);

    memcpy(self->data, elements, (size_t)count * sizeof(real));
    return self;
}

THStorage *THStorage_(newWithSize1)(real first)
{
    return THStorage_(newOf)(1, (const real[]){first});
}

THStorage *THStorage_(newWithSize2)(real first, real second)
{
    return THStorage_(newOf)(2, (const real[]){first, second});
}

THStorage *THStorage_(newWithSize3)(real first, real second, real third)
{
    return THStorage_(newOf)(3, (const real[]){first, second, third});
}

THStorage *THStorage_(newWithSize4)(real first, real second, real third, real fourth)
{
    return THStorage_(newOf)(4, (const real[]){first, second, third, fourth});
}

/* ---- share ---- */

void THStorage_(setFlag)(THStorage *self, const char flag)
{
    self->flag |= flag;
}

void THStorage_(clearFlag)(THStorage *self, const char flag)
{
    self->flag &= (char)~flag;
}

void THStorage_(retain)(THStorage *self)
{
    if (self && (self->flag & TH_STORAGE_REFCOUNTED))
        THAtomicIncrementRef(&self->refcount);
}

void THStorage_(free)(THStorage *self)
{
    if (!self || !(self->flag & TH_STORAGE_REFCOUNTED) ||
        THAtomicGet(&self->refcount) <= 0 || !THAtomicDecrementRef(&self->refcount))
        return;
    if (self->flag & TH_STORAGE_FREEMEM) {
        th_forget(self->data, (size_t)self->size * sizeof(real));
        self->allocator->free(self->allocatorContext, self->data);
    }
    if (self->flag & TH_STORAGE_VIEW)
        THStorage_(free)(self->view);
    THFree(self);
}

void THStorage_(swap)(THStorage *first, THStorage *second)
{
    const THStorage kept = *first;
    const int first_count = first->refcount, second_count = second->refcount;

    *first = *second;
    *second = kept;
    first->refcount = first_count;
    second->refcount = second_count;
}

/* ---- change ---- */

/* Reallocate to `size` elements, keeping those that fit; NULL for 0 or without memory.
 */
static real *THStorage_(regrow)(THStorage *self, ptrdiff_t size)
{
    const ptrdiff_t bytes = (ptrdiff_t)sizeof(real) * size;
    const THAllocator *const allocator = self->allocator;
    real *data;

    if (allocator->realloc)
        return allocator->realloc(self->allocatorContext, self->data, bytes);
    data = size > 0 ? allocator->malloc(self->allocatorContext, bytes) : NULL;
    if (data && self->data)
        memcpy(data, self->data, sizeof(real) * (size_t)THMin(size, self->size));
    if (data || size == 0)
        allocator->free(self->allocatorContext, self->data);
    return data;
}

void THStorage_(resize)(THStorage *self, ptrdiff_t size)
{
    real *data;

    if (!(self->flag & TH_STORAGE_RESIZABLE)) {
        THError("Trying to resize storage that is not resizable");
        return;
    }
    th_forget(self->data, (size_t)self->size * sizeof(real));
    data = THStorage_(regrow)(self, size);
    if (!data && size > 0)
        return;
    self->data = data;
    self->size = size;
}

/* Elements have been overwritten, by those at `src` if that is not NULL. */
static void THStorage_(written)(THStorage *self, real *src)
{
    const int64_t count = self->size;
    const bl_array out = THStorage_(elements)(self->data, &count);
    const bl_array in = THStorage_(elements)(src, &count);
    const bl_array *const one[] = {&in};

    th_carry(&out, src != NULL, one);
}

void THStorage_(fill)(THStorage *self, real value)
{
    for (ptrdiff_t i = 0; i < self->size; i++)
        self->data[i] = value;
    THStorage_(written)(self, NULL);
}

/* ---- copies ---- */

void THStorage_(rawCopy)(THStorage *self, real *src)
{
    if (self->size > 0)
        memcpy(self->data, src, sizeof(real) * (size_t)self->size);
    THStorage_(written)(self, src);
}

#define TH_COPY(From)                                                                  \
    void THStorage_(copy##From)(THStorage * self, TH##From##Storage * src)             \
    {                                                                                  \
        const int64_t extent = self->size, one = 1;                                    \
        const bl_array in = {                                                          \
            src->data, (bl_dtype)TH_DTYPE_##From, 1, &extent, &one, 0};                \
        const bl_array out = {self->data, TH_DTYPE, 1, &extent, &one, 0};              \
        const bl_array *const inputs[] = {&in};                                        \
                                                                                       \
        THArgCheck(self->size == src->size, 2, "size mismatch");                       \
        th_apply(BL_OP_COPY, &out, 1, inputs, NULL);                                   \
    }

TH_EACH_TYPE(TH_COPY)

#undef TH_COPY
#undef TH_READ_ELEMENTS

void THStorage_(copy)(THStorage *self, THStorage *src)
{
    THArgCheck(self->size == src->size, 2, "size mismatch");
    THStorage_(rawCopy)(self, src->data);
}
