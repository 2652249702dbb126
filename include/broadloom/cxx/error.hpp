/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: a refused call throws broadloom::error, or sets the std::error_code that it
 * was given.  Part of <broadloom/broadloom.hpp>.
 */
#ifndef BROADLOOM_CXX_ERROR_HPP
#define BROADLOOM_CXX_ERROR_HPP

#include <broadloom/cxx/errc.hpp>

#include <new>
#include <string>
#include <system_error>
#include <type_traits>

template <> struct std::is_error_code_enum<broadloom::errc> : std::true_type {
};

BROADLOOM_BEGIN

/*
 * The category of errc, "broadloom".  Its codes compare equal to those conditions of
 * std::errc that mean the same: argument to invalid_argument, overflow to
 * value_too_large, memory to not_enough_memory, io to io_error, unsupported to
 * not_supported.  Thread-safe.
 */
BL_API inline const std::error_category &category() noexcept
{
    struct type final : std::error_category {
        const char *name() const noexcept override
        {
            return "broadloom";
        }
        std::string message(int code) const override
        {
            return bl_status_string(static_cast<bl_status>(code));
        }
        std::error_condition default_error_condition(int code) const noexcept override
        {
            switch (code) {
            case BL_ERR_ARGUMENT:
                return std::errc::invalid_argument;
            case BL_ERR_OVERFLOW:
                return std::errc::value_too_large;
            case BL_ERR_MEMORY:
                return std::errc::not_enough_memory;
            case BL_ERR_IO:
                return std::errc::io_error;
            case BL_ERR_UNSUPPORTED:
                return std::errc::not_supported;
            default:
                return {code, *this};
            }
        }
    };
    static const type instance;
    return instance;
}

/* The std::error_code of an errc, for `ec == broadloom::errc::shape`. */
inline std::error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), category()};
}

#if BROADLOOM_EXCEPTIONS

/*
 * What a refused call throws; where memory is short, std::bad_alloc is thrown instead.
 * what() names the call with its arguments, what is wrong with them, and the kind of
 * error: "bl_add(a f32[2,3], b f32[4]): The size of tensor a (3) must match the size of
 * tensor b (4) at non-singleton dimension 1: shapes do not fit".  bl_error_query() has
 * the parts, until the thread's next refused call.
 */
class BL_API error : public std::system_error
{
public:
    /* The calling thread's last error, of a call that returned `status`. */
    explicit error(bl_status status)
        : std::system_error(static_cast<int>(status), category(), last())
    {
    }

    bl_status status() const noexcept
    {
        return static_cast<bl_status>(code().value());
    }

private:
    static std::string last()
    {
        const std::string where = bl_error_where();

        return where.empty() ? bl_error_message() : where + ": " + bl_error_message();
    }
};

#endif

namespace detail
{

template <class> inline constexpr bool throws = BROADLOOM_EXCEPTIONS;

#if BROADLOOM_EXCEPTIONS
[[noreturn]] inline void raise(bl_status status)
{
    if (status == BL_ERR_MEMORY)
        throw std::bad_alloc();
    throw error(status);
}
#else
[[noreturn]] void raise(bl_status status); /* there is none */
#endif

} // namespace detail

/*
 * What a call does when it is refused, its last argument: nothing given, it throws; a
 * std::error_code given, it sets that, and clears it when it succeeds.  Then it throws
 * nothing, not even std::bad_alloc, and a result that it returns is an empty tensor.
 * Compiled without exceptions, a call without a std::error_code does not compile.
 */
class on_error
{
public:
    template <class Any = void> on_error() noexcept
    {
        static_assert(detail::throws<Any>,
                      "compiled without exceptions: give the call a std::error_code");
    }
    on_error(std::error_code &ec) noexcept : ec_(&ec)
    {
    }

    /* Report the status of a call of the C interface; returns whether it succeeded. */
    BROADLOOM_INLINE bool check(bl_status status) const
    {
        if (ec_ && status != BL_OK) {
            *ec_ = make_error_code(static_cast<errc>(status));
        } else if (ec_ && *ec_) {
            ec_->clear();
        } else if (status != BL_OK) {
            if constexpr (BROADLOOM_EXCEPTIONS)
                detail::raise(status);
        }
        return status == BL_OK;
    }

private:
    std::error_code *ec_ = nullptr;
};

BROADLOOM_END

#endif
