/// Reads the records of a CSV file (RFC 4180), with their line numbers, for the files that a
/// trigger names.
///
/// Line ends may be CR LF or LF; a quoted field may go over lines.
/// Errors:  bad_config, with the line.
/// Source:  RFC 4180.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

/// "line 3: ..."
[[nodiscard]] std::unexpected<Error> csv_fault(std::size_t line, const std::string& what);

struct CsvRecord {
    std::size_t line = 0;  ///< where it begins, from 1
    std::vector<std::string> fields = {};
};

/// Gives each record of a whole file to `take`, blank lines left out, until one is wrong. A byte order
/// mark is passed by; it fails where the file is not UTF-8, or has an octet 0.
[[nodiscard]] Result<> read_csv(std::string_view whole,
                                const std::function<Result<>(CsvRecord& record)>& take);

}  // namespace smsrack::trigger
