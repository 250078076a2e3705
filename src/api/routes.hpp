/// The table of all API calls: method, path, required role, the function that answers, and its
/// largest answer. A call of role `send` shows its caller nothing but its own messages
/// (Caller::sees).
///
/// A path that is not here answers 404; a method that its path does not have answers 405.
#pragma once

#include "src/api/access.hpp"
#include "src/api/call.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace smsrack::api {

/// Which callers over the network a call is for; on the socket only the role counts.
enum class Reach : std::uint8_t {
    all,         ///< all whose token has the role
    open,        ///< those without a token too
    by_setting,  ///< none, unless [http] remote_at
    gate,        ///< none: the gate itself calls, or an administrator of this box
};

/// Whether `?box=` lets another box of the fleet answer it.
enum class OfBox : std::uint8_t {
    own,   ///< no
    row,   ///< yes
    list,  ///< yes, and it takes `limit`
};

struct Route {
    std::string_view method;
    std::string_view path;    ///< as in the OpenAPI description; at most one {…}
    Role role = Role::admin;  ///< the lowest that may
    void (*answer)(Call) = nullptr;
    /// Octets of the largest whole answer, or of the first piece of a stream: the client's account
    /// must have room for them before the call begins.
    std::size_t answer_bytes = few_words;

    Reach reach = Reach::all;
    OfBox of_box = OfBox::own;

    static constexpr std::size_t few_words = 2048;  ///< a result or a problem
};

[[nodiscard]] std::span<const Route> routes();

struct Found {
    const Route* route = nullptr;  ///< null: no such call
    std::string argument = {};     ///< the value of {…}
    std::string allowed = {};      ///< where only the method is wrong: those that the path has
};

/// HEAD finds the routes of GET.
[[nodiscard]] Found find_route(std::string_view method, std::string_view path);

}  // namespace smsrack::api
