/// Parses one record of comma-separated values.
///
/// Source:  RFC 4180; a quote in the middle of an unquoted field is itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::cli {

struct CsvRecord {
    std::vector<std::string> fields = {};
    bool open = false;       ///< it ends within quotes: the record continues in the next line
    std::string fault = {};  ///< not empty: what is wrong
};

[[nodiscard]] CsvRecord parse_csv(std::string_view record, char separator);

/// The one of "," ";" and tab that the header has most of.
[[nodiscard]] char separator_of(std::string_view header);

}  // namespace smsrack::cli
