#include "tests/days/story.hpp"

#include "src/base/hash.hpp"

#include <algorithm>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <utility>

namespace smsrack::days {

void Story::tell(std::string who, std::string what) {
    const SteadyTime now = clock_.steady();
    // Each line by itself, and its place: an odd factor loses nothing of what was before.
    fingerprint_ = fingerprint_ * 0x9E37'79B9'7F4A'7C15U + hash64(who) + 3 * hash64(what) +
                   static_cast<std::uint64_t>((now - begin_).count());
    lines_.push_back({now, std::move(who), std::move(what)});
    if (lines_.size() > kept) {
        lines_.pop_front();
    }
}

std::vector<std::string> Story::about(const std::vector<std::string>& whom,
                                      std::size_t limit) const {
    std::vector<std::string> told;
    for (auto line = lines_.rbegin(); line != lines_.rend() && told.size() < limit; ++line) {
        if (line->who == "the box" || std::ranges::find(whom, line->who) != whom.end()) {
            const auto at =
                std::chrono::duration_cast<std::chrono::milliseconds>(line->at - begin_);
            told.push_back(fmt::format("{:>6}.{:03} s  {:<14} {}", at.count() / 1000,
                                       at.count() % 1000, line->who, line->what));
        }
    }
    std::ranges::reverse(told);
    return told;
}

}  // namespace smsrack::days
