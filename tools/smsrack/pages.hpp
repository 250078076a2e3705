/// Reads a list of the API page by page.
#pragma once

#include "tools/smsrack/service.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace smsrack::cli {

/// Calls `item` for each of the first `limit` entries of the array `member` of GET `target`, which
/// has a "?" already. Returns the cursor of what is left, empty where nothing is.
[[nodiscard]] Outcome<std::string> each_of_pages(
    Service& service, const std::string& target, const char* member, std::uint64_t limit,
    const std::function<void(const wire::Json&)>& item);

}  // namespace smsrack::cli
