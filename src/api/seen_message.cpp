#include "src/api/seen_message.hpp"

#include "src/api/query.hpp"

namespace smsrack::api {
namespace {

constexpr const char* no_such_message = "no message has this id";

}  // namespace

Result<MessageId> id_of(const Call& call) {
    const auto number = positive_number(call.argument);
    if (!number) {
        return fail(Errc::not_found, no_such_message);
    }
    return MessageId{*number};
}

Result<ports::MessageDetail> seen_message(ports::StoreReader& reader, MessageId id,
                                          const Caller& caller) {
    auto detail = reader.message(id);
    if (detail && !caller.sees(detail->message.owner, detail->message.client)) {
        return fail(Errc::not_found, no_such_message);
    }
    return detail;
}

}  // namespace smsrack::api
