/// Reads the lines of a file with their numbers, from 1.
///
/// Errors:  what can't be read ends the lines; error() then says why (errno).
#pragma once

#include "tools/client/unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::cli {

struct NumberedLine {
    std::uint64_t number = 0;
    std::string text = {};  ///< without its end
    bool too_long = false;  ///< then `text` is its beginning
};

class LineSource {
public:
    /// What one line of the API's NDJSON may hold.
    static constexpr std::size_t line_max = std::size_t{64} * 1024;

    /// `may_read` is asked before each read; false ends the lines, and a line that was read in part is not given.
    LineSource(client::UniqueFd fd, std::function<bool(int)> may_read);

    [[nodiscard]] std::optional<NumberedLine> next();

    /// Gives a line again, before all others.
    void put_back(NumberedLine line) { again_.push_back(std::move(line)); }

    /// Octets read so far.
    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] int error() const { return error_; }
    /// `may_read` has ended the lines.
    [[nodiscard]] bool stopped() const { return stopped_; }

private:
    [[nodiscard]] bool fill();

    client::UniqueFd fd_;
    std::function<bool(int)> may_read_;
    std::vector<NumberedLine> again_;  // last first; as many as a record of CSV has lines
    std::string buffer_;
    std::size_t used_ = 0;
    std::uint64_t position_ = 0;
    std::uint64_t number_ = 0;
    int error_ = 0;
    bool ended_ = false;
    bool stopped_ = false;
};

}  // namespace smsrack::cli
