/// Passwords that people and programs choose or are given, as crypt(3) keeps them.
///
/// Time:    made to be slow: some 50 ms of processor for a hash. Not for the thread of a loop.
/// Threads: any.
/// Source:  crypt(5): yescrypt
#pragma once

#include "src/base/result.hpp"

#include <string>
#include <string_view>

namespace smsrack::access {

/// "$y$...", with a salt by chance.
/// Errors:  internal: this system's crypt can't.
[[nodiscard]] Result<std::string> password_hash(const std::string& password);

/// Takes as long for a wrong password as for the right one. False also where the hash is none.
[[nodiscard]] bool password_matches(const std::string& password, const std::string& hash);

/// A password for a program: a letter or digit for each octet of `chance`; of 32, none of which looks like another.
[[nodiscard]] std::string password_text(std::string_view chance);

}  // namespace smsrack::access
