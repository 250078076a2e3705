/// The words in which boxes pass messages and their ends to each other through the engine: JSON.
///
/// Two neighbouring releases read each other: what is absent has its default, and unknown members
/// are ignored.
/// Errors:  bad_request: it is not what a box has written.
#pragma once

#include "src/base/ids.hpp"
#include "src/base/result.hpp"
#include "src/ports/cluster_engine.hpp"
#include "src/sms/message.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace smsrack::cluster {

/// Dated by the clock of the box that writes it.
[[nodiscard]] std::string form_of(const NewMessage& message);

/// Without client, account and ref, which stay with the box that accepted it. `later`: how far the
/// reader's clock is ahead of the writer's.
[[nodiscard]] Result<NewMessage> message_of(std::string_view form, std::chrono::milliseconds later);

/// What one box tells the one that accepted a message.
struct EndLetter {
    MessageId message = {};
    MessageState state = MessageState::sent;
    std::string detail = {};
    BoxNumber box = {};  ///< that sent it
};

[[nodiscard]] std::string form_of(const EndLetter& letter);
[[nodiscard]] Result<EndLetter> letter_of(std::string_view form);

}  // namespace smsrack::cluster
