#include "tests/days/copies.hpp"

#include <algorithm>

namespace smsrack::days {

bool Copy::is_of(const std::string& text) const {
    std::string joined;
    std::uint8_t next = 1;
    for (; texts.contains(next); ++next) {
        joined += texts.at(next);
    }
    if (is_whole() ? joined != text : !text.starts_with(joined)) {
        return false;
    }
    // What is after a gap is somewhere; the last part at the end.
    return std::ranges::all_of(texts, [&](const auto& part) {
        return part.first == parts ? text.ends_with(part.second) : text.contains(part.second);
    });
}

const Copy& Copies::add(const std::string& to, const Said& said, Sender sender) {
    auto& copies = by_recipient_[to];
    const auto continues = [&](const Copy& copy) {
        if (copy.parts != said.parts || copy.reference != said.reference) {
            return false;
        }
        const auto same = copy.texts.find(said.part);
        return same == copy.texts.end() ? said.parts > 1 : same->second == said.text;
    };
    auto copy = std::ranges::find_if(copies, continues);
    if (copy == copies.end()) {
        copy = copies.insert(copies.end(), Copy{.reference = said.reference, .parts = said.parts});
    }
    copy->texts.try_emplace(said.part, said.text);
    copy->senders[said.part].push_back(std::move(sender));
    return *copy;
}

const std::vector<Copy>& Copies::of(const std::string& to) const {
    static const std::vector<Copy> none;
    const auto found = by_recipient_.find(to);
    return found == by_recipient_.end() ? none : found->second;
}

}  // namespace smsrack::days
