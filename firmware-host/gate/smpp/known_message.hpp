/// A message of an account of SMPP, as the service tells it.
#pragma once

#include "firmware-host/gate/service_call.hpp"
#include "src/smpp/note.hpp"
#include "src/smpp/receipt.hpp"

#include <optional>
#include <string>
#include <vector>

namespace smsrack::gate {

struct KnownMessage {
    smpp::MessageChange change = {};  ///< its state now
    smpp::Note note = {};
    int level = 0;
    /// It has no class, pid, ports or elements, and is no part: its content is all that it has.
    bool is_plain = true;

    /// Nothing of it was begun.
    [[nodiscard]] bool waits() const {
        return change.state == MessageState::queued || change.state == MessageState::scheduled;
    }
    /// An empty source is any: some ESMEs give none.
    [[nodiscard]] bool is_of(const smpp::Address& source) const {
        return source.text.empty() || note.source == source;
    }
};

/// Of GET /v1/messages/{id}; nullopt: there is none, or it did not come over SMPP.
[[nodiscard]] std::optional<KnownMessage> known_message_of(const ServiceCall::Reply& reply);

struct KnownPage {
    std::vector<KnownMessage> messages = {};
    std::string next = {};  ///< the cursor of the next page; empty: this is the last one
};

/// Of GET /v1/messages with details; messages that did not come over SMPP are left out. No such client: an empty page.
/// nullopt: it is no list.
[[nodiscard]] std::optional<KnownPage> known_page_of(const ServiceCall::Reply& reply);

}  // namespace smsrack::gate
