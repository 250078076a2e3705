/// Packs answers for clients that take gzip.
///
/// A packed answer tells by its length whether what an attacker can put into it is like what it may
/// not read (BREACH). So only answers to GET are packed, of calls whose answer has nothing of the
/// request but its places in time and in the list.
/// Threads: any.
/// Source:  RFC 1952; RFC 9110 12.5.3 (Accept-Encoding)
#pragma once

#include "src/wire/http_message.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::gate {

/// A shorter answer fits into one packet anyway.
inline constexpr std::size_t gzip_from = 1024;

/// Whether the answer may be packed at all, whatever the client takes.
[[nodiscard]] bool may_pack(const wire::HttpRequest& request);

/// Whether the client takes gzip, by its Accept-Encoding.
[[nodiscard]] bool takes_gzip(const wire::HttpRequest& request);

/// Packs JSON of more than gzip_from octets in place, with the headers that say so.
void pack(wire::HttpResponse& response);

[[nodiscard]] std::string gzip(std::string_view text);

}  // namespace smsrack::gate
