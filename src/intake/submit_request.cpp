#include "src/intake/submit_request.hpp"

#include "src/base/hash.hpp"
#include "src/base/label.hpp"
#include "src/sms/level.hpp"
#include "src/sms/self_sms.hpp"

#include <utility>

namespace smsrack::intake {
namespace {

constexpr std::int64_t ttl_max_s = 38'102'400;  // 63 weeks, the longest TP-VP
constexpr std::int64_t class_max = 3;
constexpr std::size_t ref_octets_max = 255;

std::unexpected<Error> bad(std::string context) {
    return fail(Errc::bad_request, std::move(context));
}

void append(std::string& octets, std::string_view member) {
    octets += std::to_string(member.size());
    octets += ':';
    octets += member;
}

template <typename T>
void append_number(std::string& octets, const std::optional<T>& member) {
    append(octets, member ? std::to_string(*member) : "-");
}

}  // namespace

bool is_batch_label(std::string_view text) {
    return is_label(text);
}

Result<> check_members(const SubmitRequest& request) {
    if (request.text.has_value() == request.data.has_value()) {
        return bad("exactly one of `text` and `data` is needed");
    }
    if (request.text && request.text->empty()) {
        return bad("text: empty");
    }
    if (request.data && request.data->empty()) {
        return bad("data: empty");
    }
    if (request.priority && (*request.priority < 0 || *request.priority > level_max)) {
        return bad("priority: not 0 to 6");
    }
    if (request.ttl_s && (*request.ttl_s < 1 || *request.ttl_s > ttl_max_s)) {
        return bad("ttl_s: not 1 to 38102400");
    }
    if (request.message_class &&
        (*request.message_class < 0 || *request.message_class > class_max)) {
        return bad("class: not 0 to 3");
    }
    if (request.ref.size() > ref_octets_max) {
        return bad("ref: longer than 255 octets");
    }
    if (request.note.size() > note_octets_max) {
        return bad("note: longer than 512 octets");
    }
    if (!request.batch.empty() && !is_batch_label(request.batch)) {
        return bad("batch: not 1 to 64 of letters, digits, \"_\", \"-\", \".\" and \":\"");
    }
    if (request.batch == self_sms_batch) {
        return bad("batch: self-sms is the label of the rack's own messages");
    }
    return {};
}

std::uint64_t fingerprint_of(const SubmitRequest& request, const std::string& number) {
    std::string octets;
    append(octets, number);
    append(octets, request.text ? "t" + *request.text : "d" + *request.data);
    append_number(octets, request.priority);
    append_number(octets, request.ttl_s);
    append(octets, request.report ? (*request.report ? "1" : "0") : "-");
    append_number(octets, request.message_class);
    append(octets, request.ports ? std::to_string(request.ports->dst) + "," +
                                       std::to_string(request.ports->src)
                                 : "-");
    append(octets, request.group);
    append(octets, request.not_before
                       ? std::to_string(request.not_before->time_since_epoch().count())
                       : "-");
    append(octets, request.allow_duplicate ? "1" : "0");
    if (!request.batch.empty()) {  // without one it is what earlier versions wrote
        append(octets, request.batch);
    }
    if (!request.note.empty()) {
        append(octets, "note");
        append(octets, request.note);
    }
    return hash64(octets);
}

std::uint64_t text_hash_of(const MessageBody& body) {
    std::string octets;
    append(octets, body.to);
    append(octets, body.is_data ? "d" + body.data : "t" + body.text);
    return hash64(octets);
}

std::uint64_t identity_of(const NewMessage& message) {
    std::string octets;
    append(octets, message.body.to);
    append(octets, message.body.is_data ? message.body.data : message.body.text);
    append(octets, message.ref);
    return hash64(octets);
}

}  // namespace smsrack::intake
