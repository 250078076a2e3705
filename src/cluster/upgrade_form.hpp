/// The words in which a box orders another one to hand over to another program, and those in which that one says that it runs it, or why
/// not: JSON, as message_form.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/result.hpp"
#include "src/ports/upkeep.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::cluster {

/// Orders that repeat each other have the same one but for `beats`.
struct UpgradeMark {
    BoxNumber by = {};       ///< the box that ordered
    std::int64_t since = 0;  ///< number of the order, which grows; the same where it is repeated
    std::int64_t beats = 0;  ///< of that box, when it sent the letter
    friend bool operator==(const UpgradeMark&, const UpgradeMark&) = default;
};

struct UpgradeLetter {
    UpgradeMark mark = {};
    ports::UpgradeOrder order = {};  ///< the program is on the disk of the box that is ordered
};

struct UpgradeAnswer {
    BoxNumber from = {};
    UpgradeMark mark = {};     ///< of the order
    std::string hash = {};     ///< likewise
    Epoch epoch = {};          ///< of the box that answers
    std::string why_not = {};  ///< empty: it runs that program
};

[[nodiscard]] std::string form_of(const UpgradeLetter& letter);
[[nodiscard]] std::string form_of(const UpgradeAnswer& letter);
[[nodiscard]] Result<UpgradeLetter> upgrade_letter_of(std::string_view form);
[[nodiscard]] Result<UpgradeAnswer> upgrade_answer_of(std::string_view form);

}  // namespace smsrack::cluster
