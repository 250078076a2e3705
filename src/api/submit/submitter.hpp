/// Hands single submits to intake and answers them: many at once after each commit of the store.
///
/// Threads: loop thread.
#pragma once

#include "src/api/api.hpp"
#include "src/base/handover.hpp"
#include "src/base/result.hpp"
#include "src/ports/store.hpp"
#include "src/wire/http_message.hpp"
#include "src/wire/json_writer.hpp"

#include <memory>
#include <string>

namespace smsrack::api {

/// Whose a submit is, for what is counted of it.
struct Sender {
    Sender() = default;
    explicit Sender(const intake::SubmitRequest& request)
        : client(request.client), owner(request.owner) {}
    /// Of a message that was kept.
    explicit Sender(const ports::MessageRow& row)
        : client(row.client), owner(row.owner.value_or(OwnerId{})) {}

    std::string client = {};  ///< empty: it names none
    OwnerId owner = {};
};

/// What became of one submit, on its way back to the loop.
struct SubmitAnswer {
    wire::ResponderPtr responder;
    SteadyTime since = {};  ///< when the request was whole
    Sender sender = {};
    Result<ports::Accepted> result;
};

class Submitter {
public:
    /// `parts` outlives the object.
    explicit Submitter(const ApiParts& parts);

    void submit(const intake::SubmitRequest& request, wire::ResponderPtr responder,
                SteadyTime since);

private:
    const ApiParts& parts_;
    std::shared_ptr<Handover<SubmitAnswer>> answers_;
};

/// {"id","state","segments"}
void append_accepted(wire::JsonWriter& json, const ports::Accepted& accepted);

/// In smsrack_messages_submitted_total by result, and a refusal as count_refusal().
void count_submit(const ApiParts& parts, const Sender& sender,
                  const Result<ports::Accepted>& result);

/// By the rule that refused, if one did, also for its sender.
void count_refusal(const ApiParts& parts, const Sender& sender, const Error& error);

}  // namespace smsrack::api
