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

namespace smsrack::api {

/// What became of one submit, on its way back to the loop.
struct SubmitAnswer {
    wire::ResponderPtr responder;
    SteadyTime since = {};  ///< when the request was whole
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

/// smsrack_messages_submitted_total by result.
void count_submit(stats::Stats& stats, const Result<ports::Accepted>& result);

}  // namespace smsrack::api
