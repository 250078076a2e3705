#include "src/api/calls.hpp"
#include "src/api/submit/submitter.hpp"
#include "src/api/text.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

struct AgainOrder {
    bool allow_duplicate = false;  ///< also if the recipient has it, or may have it
};

Result<AgainOrder> again_order_of(const wire::HttpRequest& request) {
    if (request.body.empty()) {
        return AgainOrder{};
    }
    return wire::read_into(
        AgainOrder{}, request.body,
        [](AgainOrder& order, std::string_view name, wire::JsonScalar& value) -> Result<> {
            const auto* const truth = std::get_if<bool>(&value);
            if (name != "allow_duplicate" || truth == nullptr) {
                return fail(Errc::bad_request, std::string(name) +
                                                   ": the body is empty, or "
                                                   "{\"allow_duplicate\":true}");
            }
            order.allow_duplicate = *truth;
            return {};
        });
}

/// Why the recipient has the message, or may have it; empty if it has not.
std::string why_doubled(const ports::MessageDetail& message) {
    const MessageState state = message.message.state;
    if (state == MessageState::sent || state == MessageState::delivered) {
        return fmt::format("the message is {}", message_state_name(state));
    }
    const bool in_doubt =
        std::ranges::any_of(message.attempts, [](const ports::AttemptRow& attempt) {
            return attempt.outcome.kind == OutcomeKind::unknown;
        });
    return in_doubt ? "the outcome of an attempt is unknown, so the recipient may have the message"
                    : "";
}

/// Errors:  conflict.
Result<> check_ended(const ports::MessageDetail& message, AgainOrder order) {
    const ports::MessageRow& row = message.message;
    if (!is_final(row.state) && row.state != MessageState::sent) {
        return fail(Errc::conflict,
                    fmt::format("the message is {}: only one that has ended is sent again",
                                message_state_name(row.state)));
    }
    if (row.body.part) {
        return fail(Errc::conflict,
                    "the message is a part of a longer one: its client can send all "
                    "parts again");
    }
    if (row.body.text.empty() && row.body.data.empty()) {
        return fail(Errc::conflict,
                    "number and text of the message are removed ([retention] anonymise_days)");
    }
    if (const std::string why = why_doubled(message); !why.empty() && !order.allow_duplicate) {
        return fail(Errc::conflict, why + "; \"allow_duplicate\":true sends it all the same");
    }
    return {};
}

/// The first "again-ID-N" that no message has. Two orders at the same moment find the same one, so
/// they make one message.
Result<std::string> free_ref(ports::StoreReader& reader, MessageId id) {
    constexpr int again_max = 20;  // each is a search; more are sent from the newest copy
    for (int number = 1; number <= again_max; ++number) {
        std::string ref = fmt::format("again-{}-{}", id.value, number);
        const auto rows = reader.messages({.ref = ref, .limit = 1, .with_body = false});
        if (!rows) {
            return std::unexpected(rows.error());
        }
        if (rows->empty()) {
            return ref;
        }
    }
    return fail(Errc::conflict, fmt::format("the message was sent again {} times; send the newest "
                                            "copy again",
                                            again_max));
}

/// From its queue on: what it waited for its `not_before` is no part of it.
std::chrono::seconds life_of(const ports::MessageDetail& message) {
    const auto queued = std::ranges::find(message.history, MessageState::queued, &Event::state);
    const WallTime begin =
        queued == message.history.end() ? message.message.created_at : queued->at;
    return std::max(std::chrono::seconds(1),
                    std::chrono::round<std::chrono::seconds>(message.message.expires_at - begin));
}

intake::SubmitRequest copy_of(const ports::MessageDetail& message, std::string ref,
                              const Call& call) {
    const ports::MessageRow& row = message.message;
    intake::SubmitRequest copy{.to = row.to,
                               .priority = row.level,
                               .ref = std::move(ref),
                               .ttl_s = life_of(message).count(),
                               .report = row.body.report,
                               .ports = row.body.ports,
                               .elements = row.body.elements,
                               .allow_duplicate = true,  // the order is what the window asks for
                               .owner = call.caller.owner};
    (row.body.is_data ? copy.data : copy.text) = row.body.is_data ? row.body.data : row.body.text;
    if (row.body.pid != 0) {
        copy.pid = row.body.pid;
    }
    if (row.body.message_class) {
        copy.message_class = *row.body.message_class;
    }
    if (std::ranges::find(call.caller.clients, row.client) != call.caller.clients.end()) {
        copy.client = row.client;
        copy.note = row.note;
    }
    const std::vector<std::string>& groups = call.parts.intake.groups();
    if (message.by && std::ranges::find(groups, row.group) != groups.end()) {
        copy.sim = message.by;  // its group was chosen with it
        copy.group = row.group;
    } else if (call.parts.intake.was_asked_for(row.to, row.group)) {
        copy.group = row.group;
    }
    return copy;
}

}  // namespace

void post_again(Call call) {
    const auto order = again_order_of(call.request);
    if (!order) {
        return answer_problem(call, order.error());
    }
    const auto id = id_of(call);
    if (!id) {
        return answer_problem(call, id.error());
    }
    call.parts.store.ask(
        [call, id = *id,
         order = *order](ports::StoreReader& reader) -> Result<intake::SubmitRequest> {
            const auto message = seen_message(reader, id, call.caller);
            if (!message) {
                return std::unexpected(message.error());
            }
            if (auto ended = check_ended(*message, order); !ended) {
                return std::unexpected(std::move(ended.error()));
            }
            auto ref = free_ref(reader, id);
            return ref ? Result<intake::SubmitRequest>(copy_of(*message, *std::move(ref), call))
                       : std::unexpected(std::move(ref.error()));
        },
        [call](Result<intake::SubmitRequest> copy) {
            call.parts.loop.post([call, copy = std::move(copy)] {
                if (copy) {
                    call.submitter.submit(*copy, call.responder, call.request.received_at);
                } else {
                    answer_problem(call, copy.error());
                }
            });
        });
}

}  // namespace smsrack::api
