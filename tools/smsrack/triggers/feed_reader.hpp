/// Cuts the octets of a feed into requests at ends of lines.
///
/// A request ends when it is large or old enough, or nothing more comes for a while: so a feed that
/// runs for days is answered every second or so, and what a stop leaves in doubt is little.
/// Time:    by the real clock; waits for input.
/// Errors:  what can't be read ends the feed; error() then says why (errno).
#pragma once

#include "tools/client/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace smsrack::cli {

class FeedReader {
public:
    static constexpr std::size_t request_octets = std::size_t{8} * 1024 * 1024;
    static constexpr std::chrono::milliseconds request_time{1'000};

    /// `stop_fd`: readable when the feed is to end where it is.
    FeedReader(client::UniqueFd fd, int stop_fd);

    /// Skips n lines. False: the feed has not as many.
    [[nodiscard]] bool skip(std::uint64_t lines);

    /// Waits for the first octet of a request; false: there is none any more.
    [[nodiscard]] bool begin_request();
    /// The next piece of this request; empty: that was all of it.
    [[nodiscard]] std::string next();

    /// Lines handed out, with a last one that has no end.
    [[nodiscard]] std::uint64_t lines() const { return lines_ + (within_line_ ? 1 : 0); }
    [[nodiscard]] std::uint64_t octets() const { return octets_; }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] int error() const { return error_; }

private:
    enum class Came : std::uint8_t { input, nothing, end };

    [[nodiscard]] Came read_some(std::chrono::milliseconds patience);
    void count(const std::string& piece);

    client::UniqueFd fd_;
    const int stop_fd_;
    std::string held_;  // read, not handed out
    std::chrono::steady_clock::time_point until_ = {};
    std::size_t in_request_ = 0;
    std::uint64_t lines_ = 0;
    std::uint64_t octets_ = 0;
    int error_ = 0;
    bool within_line_ = false;
    bool request_over_ = true;
    bool ended_ = false;
    bool stopped_ = false;
};

}  // namespace smsrack::cli
