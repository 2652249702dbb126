/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensors as text, for C++17; apart from <broadloom/broadloom.hpp>, which leaves
 * <ostream> out.
 */
#ifndef BROADLOOM_IO_HPP
#define BROADLOOM_IO_HPP

#include <broadloom/cxx/tensor.hpp>

#include <ostream>

BROADLOOM_BEGIN

namespace detail
{

inline bool put(void *user, const char *text, std::size_t length)
{
    const std::streamsize count = static_cast<std::streamsize>(length);

    return static_cast<std::streambuf *>(user)->sputn(text, count) == count;
}

/* As a callback of the C interface, which no exception may leave. */
#if BROADLOOM_EXCEPTIONS
inline bool try_put(void *user, const char *text, std::size_t length) noexcept
{
    try {
        return put(user, text, length);
    } catch (...) {
        return false;
    }
}
#else
inline constexpr bl_write_function try_put = put;
#endif

} // namespace detail

/*
 * Print the elements as bl_array_format() writes them: nested brackets, one row a line,
 * numbers that read back as the same value; of a dimension longer than 6, three
 * elements at each end.  Flags and width of the stream have no effect.  Sets failbit
 * for an empty tensor, and badbit where the stream takes no more.
 */
BROADLOOM_INLINE std::ostream &operator<<(std::ostream &stream, const tensor &x)
{
    const std::ostream::sentry ready(stream);

    if (!x)
        stream.setstate(std::ios_base::failbit);
    else if (ready &&
             (bl_array_format)(&x.array(), 3, detail::try_put, stream.rdbuf()) != BL_OK)
        stream.setstate(std::ios_base::badbit);
    return stream;
}

BROADLOOM_END

#endif
