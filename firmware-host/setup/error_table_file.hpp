/// The table of causes that the service uses: the product's, overridden by an administrator's file.
#pragma once

#include "src/config/problem.hpp"
#include "src/sms/error_table.hpp"

#include <expected>
#include <string>

namespace smsrack::host {

/// `path`: of the administrator's file; empty: none. The error is all that is wrong with it.
[[nodiscard]] std::expected<ErrorTable, config::ConfigProblems> read_error_table(
    const std::string& path);

}  // namespace smsrack::host
