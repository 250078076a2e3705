#include "src/smpp/pdu.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

namespace smsrack::smpp {
namespace {

struct BodyKind {
    Command command;
    Body (*read)(Reader& reader);
    std::size_t index;  // in Body
};

template <typename T>
constexpr BodyKind kind(Command command) {
    return {.command = command,
            .read = [](Reader& reader) { return Body(read_fields<T>(reader)); },
            .index = Body(std::in_place_type<T>).index()};
}

template <>
constexpr BodyKind kind<std::monostate>(Command command) {
    return {.command = command, .read = [](Reader&) { return Body(); }, .index = 0};
}

using enum Command;

const std::array kinds{kind<Bind>(bind_receiver),
                       kind<Bind>(bind_transmitter),
                       kind<Bind>(bind_transceiver),
                       kind<BindAnswer>(bind_receiver_resp),
                       kind<BindAnswer>(bind_transmitter_resp),
                       kind<BindAnswer>(bind_transceiver_resp),
                       kind<Outbind>(outbind),
                       kind<Message>(submit_sm),
                       kind<MessageAnswer>(submit_sm_resp),
                       kind<Message>(deliver_sm),
                       kind<MessageAnswer>(deliver_sm_resp),
                       kind<Data>(data_sm),
                       kind<MessageAnswer>(data_sm_resp),
                       kind<SubmitMulti>(submit_multi),
                       kind<SubmitMultiAnswer>(submit_multi_resp),
                       kind<Query>(query_sm),
                       kind<QueryAnswer>(query_sm_resp),
                       kind<Cancel>(cancel_sm),
                       kind<std::monostate>(cancel_sm_resp),
                       kind<Replace>(replace_sm),
                       kind<std::monostate>(replace_sm_resp),
                       kind<std::monostate>(enquire_link),
                       kind<std::monostate>(enquire_link_resp),
                       kind<std::monostate>(unbind),
                       kind<std::monostate>(unbind_resp),
                       kind<std::monostate>(generic_nack)};

const BodyKind* kind_of(Command command) {
    const auto* found = std::ranges::find(kinds, command, &BodyKind::command);
    return found != kinds.end() ? found : nullptr;
}

}  // namespace

std::expected<Pdu, Problem> decode(std::string_view frame) {
    SMSRACK_CHECK(frame.size() >= header_octets);
    Pdu pdu{.header = header_of(frame)};
    const BodyKind* known = kind_of(pdu.header.command);
    if (known == nullptr) {
        return std::unexpected(
            Problem{.status = Status::invalid_command_id, .field = "command_id", .offset = 4});
    }
    const std::string_view octets = frame.substr(header_octets);
    if (octets.empty() && is_answer(pdu.header.command) && pdu.header.status != Status::ok) {
        return pdu;
    }
    Reader reader(octets, header_octets);
    pdu.body = known->read(reader);
    if (reader.failed()) {
        return std::unexpected(reader.problem());
    }
    return pdu;
}

std::string encode(const Pdu& pdu) {
    std::string out;
    put_four(out, 0);
    put_four(out, static_cast<std::uint32_t>(pdu.header.command));
    put_four(out, static_cast<std::uint32_t>(pdu.header.status));
    put_four(out, pdu.header.sequence);
    const BodyKind* known = kind_of(pdu.header.command);
    const bool is_error = is_answer(pdu.header.command) && pdu.header.status != Status::ok;
    SMSRACK_CHECK(known != nullptr &&
                  (known->index == pdu.body.index() || (is_error && pdu.body.index() == 0)));
    std::visit(
        [&](const auto& body) {
            if constexpr (!std::is_same_v<decltype(body), const std::monostate&>) {
                put_fields(out, body);
            }
        },
        pdu.body);
    std::string length;
    put_four(length, static_cast<std::uint32_t>(out.size()));
    out.replace(0, length.size(), length);
    return out;
}

}  // namespace smsrack::smpp
