/// The copies of each text in the network, joined as its recipient would join them.
///
/// A copy is a text of one segment, or the parts of one reference. The same part twice is one (`once` looks at that).
#pragma once

#include "tests/days/user_data.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::days {

/// Which SIM gave a segment to the network, and its TP-MR: so its report is known.
using Sender = std::pair<std::string, int>;

struct Copy {
    std::uint16_t reference = 0;
    std::uint8_t parts = 1;
    std::map<std::uint8_t, std::string> texts = {};            ///< of the parts that came
    std::map<std::uint8_t, std::vector<Sender>> senders = {};  ///< of each part, once for each time

    [[nodiscard]] bool is_whole() const { return texts.size() == parts; }
    /// It is this text, or may become it.
    [[nodiscard]] bool is_of(const std::string& text) const;
};

/// Of each recipient.
class Copies {
public:
    /// The copy that this is a part of.
    const Copy& add(const std::string& to, const Said& said, Sender sender);
    [[nodiscard]] const std::vector<Copy>& of(const std::string& to) const;
    template <typename What>
    void each(const What& what) const {
        for (const auto& [to, copies] : by_recipient_) {
            for (const Copy& copy : copies) {
                what(to, copy);
            }
        }
    }
    void clear() { by_recipient_.clear(); }

private:
    std::map<std::string, std::vector<Copy>> by_recipient_;
};

}  // namespace smsrack::days
