/// The table of all API calls: method, path, required role, and the function that answers. A call
/// of role `send` shows its caller nothing but its own messages (Caller::sees).
///
/// A path that is not here answers 404; a method that its path does not have answers 405.
#pragma once

#include "src/api/access.hpp"
#include "src/api/call.hpp"

#include <span>
#include <string>
#include <string_view>

namespace smsrack::api {

struct Route {
    std::string_view method;
    std::string_view path;    ///< as in the OpenAPI description; at most one {…}
    Role role = Role::admin;  ///< the lowest that may
    void (*answer)(Call) = nullptr;
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
