#include "src/intake/submit_request.hpp"

#include "src/base/hash.hpp"
#include "src/base/label.hpp"
#include "src/pdu/octets.hpp"
#include "src/pdu/udh.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/level.hpp"
#include "src/sms/self_sms.hpp"

#include <utility>

namespace smsrack::intake {
namespace {

constexpr std::int64_t ttl_max_s = 38'102'400;  // 63 weeks, the longest TP-VP
constexpr std::int64_t class_max = 3;
constexpr std::size_t ref_octets_max = 255;
constexpr std::size_t part_key_octets_max = 64;
constexpr std::int64_t parts_max = 255;  // 3GPP TS 23.040 9.2.3.24.1

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

Result<> check_part(const PartRequest& part) {
    if (part.key.empty() || part.key.size() > part_key_octets_max) {
        return bad("concat.key: not 1 to 64 octets");
    }
    if (part.of < 2 || part.of > parts_max) {
        return bad("concat.of: not 2 to 255");
    }
    if (part.part < 1 || part.part > part.of) {
        return bad("concat.part: not 1 to concat.of");
    }
    return {};
}

Result<> check_elements(std::string_view elements) {
    const pdu::Udh header = pdu::read_udh(pdu::octets_of(elements));
    if (header.malformed) {
        return bad("udh: not elements of a user data header, each with its type and length");
    }
    pdu::Octets rest = pdu::octets_of(elements);
    while (!rest.empty()) {
        const std::uint8_t iei = pdu::next_element(rest).iei;
        if (iei == pdu::iei::concat8 || iei == pdu::iei::concat16) {
            return bad("udh: the place in a longer message is in `concat`");
        }
    }
    return {};
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
    if (request.pid && (*request.pid < pid_replace_first || *request.pid > pid_replace_last)) {
        return bad("pid: not 65 to 71");
    }
    if (request.concat) {
        if (auto part = check_part(*request.concat); !part) {
            return part;
        }
    }
    if (auto elements = check_elements(request.elements); !elements) {
        return elements;
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
    if (request.concat) {
        append(octets, "concat");
        append(octets, request.concat->key);
        append(octets, std::to_string(request.concat->of));
        append(octets, std::to_string(request.concat->part));
    }
    if (request.pid) {
        append(octets, "pid");
        append_number(octets, request.pid);
    }
    if (!request.from.empty()) {
        append(octets, "from");
        append(octets, request.from);
        append(octets, request.from_else_any ? "1" : "0");
    }
    if (!request.elements.empty()) {
        append(octets, "udh");
        append(octets, request.elements);
    }
    return hash64(octets);
}

std::uint64_t text_hash_of(const MessageBody& body) {
    std::string octets;
    append(octets, body.to);
    append(octets, body.is_data ? "d" + body.data : "t" + body.text);
    if (body.part) {  // parts of one message may say the same
        append(octets, std::to_string(body.part->number));
    }
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
