/// Which numbers a trigger is active for: a stable share of them, chosen by a hash of number and
/// tag.
///
/// A number that is in a share is in every larger one of the same tag; another tag selects others, independently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::trigger {

/// `share`: 0..1. `number`: of the E.164 digits. Stable over versions and machines.
[[nodiscard]] bool in_share(double share, std::string_view tag, std::int64_t number);

/// The share of the events with one tag of their user ("beta", "staff"): a launch by groups of users.
struct TagShare {
    std::string tag = {};
    double share = 1;
};

/// Shares by the tags of events. A tag says how large the share is; membership depends on the
/// number alone, so that a number that a share of 5 % has is also in that of each tag with more.
class TagShares {
public:
    /// `rest`: of events without a tag, and with one that `by_tag` does not have.
    TagShares(std::vector<TagShare> by_tag, double rest)
        : by_tag_(std::move(by_tag)), rest_(rest) {}

    /// Place of a tag; size() - 1 for the rest.
    [[nodiscard]] std::size_t place_of(std::string_view tag) const;
    [[nodiscard]] std::size_t rest() const { return by_tag_.size(); }
    [[nodiscard]] std::size_t size() const { return by_tag_.size() + 1; }
    [[nodiscard]] double share(std::size_t place) const {
        return place < by_tag_.size() ? by_tag_[place].share : rest_;
    }
    [[nodiscard]] const std::vector<TagShare>& by_tag() const { return by_tag_; }

private:
    std::vector<TagShare> by_tag_;  // few
    double rest_;
};

}  // namespace smsrack::trigger
