/// The words in which a box passes a status report to the box that sent the message: JSON, as message_form.
///
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/box_ids.hpp"
#include "src/base/result.hpp"
#include "src/ports/fleet_store.hpp"

#include <string>
#include <string_view>

namespace smsrack::cluster {

struct ReportLetter {
    BoxNumber from = {};    ///< the box that got it
    std::string name = {};  ///< of that box; as read: empty, and the modem has it before its own
    ports::StrayReport stray = {};
};

/// Dated by the clock of the box that writes it.
[[nodiscard]] std::string form_of(const ReportLetter& letter);
/// As that box dated it.
[[nodiscard]] Result<ReportLetter> report_letter_of(std::string_view form);

}  // namespace smsrack::cluster
