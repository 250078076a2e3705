/// Reads the records of a CSV file (RFC 4180), with their line numbers, for the files that a
/// trigger names.
///
/// Line ends may be CR LF or LF; a quoted field may go over lines.
/// Errors:  bad_config, with the line.
/// Source:  RFC 4180.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::trigger {

/// "line 3: ..."
[[nodiscard]] std::unexpected<Error> csv_fault(std::size_t line, const std::string& what);

/// The text of a whole file without its byte order mark. Fails where it is not UTF-8, or has an octet 0.
[[nodiscard]] Result<std::string_view> csv_text(std::string_view whole);

struct CsvRecord {
    std::size_t line = 0;  ///< where it begins, from 1
    std::vector<std::string> fields = {};
};

class CsvReader {
public:
    /// `text` outlives the reader.
    explicit CsvReader(std::string_view text) : rest_(text) {}

    /// nullopt: the end.
    [[nodiscard]] Result<std::optional<CsvRecord>> next();

private:
    [[nodiscard]] Result<std::string> plain();
    [[nodiscard]] Result<std::string> quoted();

    std::string_view rest_;
    std::size_t line_ = 1;
};

}  // namespace smsrack::trigger
