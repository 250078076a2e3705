/// What happened recently on a rack in simulated time, to be printed when something went wrong.
///
/// Bound: the last `kept` lines.
#pragma once

#include "src/base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::days {

class Story {
public:
    static constexpr std::size_t kept = 200'000;

    /// `begin`: when the story begins; `clock` outlives it.
    explicit Story(const Clock& clock) : clock_(clock), begin_(clock.steady()) {}

    /// `who`: the subject of the line: "message 17", "+33670000001", "m3", "the box".
    void tell(std::string who, std::string what);

    /// Of all that was reported, and when.
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }

    /// The last lines about any of these and about the box, at most `limit`, oldest first.
    [[nodiscard]] std::vector<std::string> about(const std::vector<std::string>& whom,
                                                 std::size_t limit) const;

private:
    struct Line {
        SteadyTime at = {};
        std::string who;
        std::string what;
    };
    const Clock& clock_;
    SteadyTime begin_;
    std::deque<Line> lines_;
    std::uint64_t fingerprint_ = 0;
};

}  // namespace smsrack::days
