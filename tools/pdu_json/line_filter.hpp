/// Reads lines from one file descriptor, and writes the result of a worker for each line to
/// another.
///
/// Lines end with LF; the last may lack it. What was made of the lines read so far is written
/// before the next read, so a terminal gets an answer line by line and a pipe in large blocks.
/// Unit:    a line has at most line_octets_max octets: no PDU and no text of 255 segments comes
///          near, whatever its escapes.
/// Threads: the caller's; blocks.
/// Errors:  closed, with errno in `detail`: reading or writing failed.
#pragma once

#include "src/base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::tools {

inline constexpr std::size_t line_octets_max = 16U << 20U;

class LineWorker {
public:
    LineWorker() = default;
    LineWorker(const LineWorker&) = delete;
    LineWorker& operator=(const LineWorker&) = delete;
    virtual ~LineWorker() = default;

    /// Appends the answer with its newline; false when the line was bad.
    virtual bool work(std::string_view line, std::string& out) = 0;

    /// The same for a line that is longer than line_octets_max.
    virtual void refuse(std::string& out) = 0;
};

/// Until the end of input. False when at least one line was bad.
[[nodiscard]] Result<bool> filter_lines(int in, int out, LineWorker& worker);

}  // namespace smsrack::tools
