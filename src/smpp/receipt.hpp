/// Receipts: what became of a message, in the words of SMPP.
///
/// Source:  SMPP 3.4 5.2.12, 5.2.17, 5.2.28, 5.3.2.35, Appendix B
#pragma once

#include "src/base/clock.hpp"
#include "src/smpp/account.hpp"
#include "src/smpp/note.hpp"
#include "src/smpp/pdu/known_message.hpp"
#include "src/smpp/pdu/message.hpp"
#include "src/sms/message_states.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

/// A change of a message, as the service tells it.
struct MessageChange {
    std::string id = {};
    MessageState state = MessageState::queued;
    std::string code = {};  ///< "tp_status_65", "cms_42", "outcome_unknown"; empty: none
    WallTime at = {};
};

/// The deliver_sm that tells `change`; nullopt: it was not asked for.
[[nodiscard]] std::optional<Message> receipt_of(const MessageChange& change, const Note& note,
                                                const Account& account);

/// The answer to a query_sm.
[[nodiscard]] QueryAnswer query_answer(const MessageChange& change, bool is_over,
                                       const Account& account);

}  // namespace smsrack::smpp
