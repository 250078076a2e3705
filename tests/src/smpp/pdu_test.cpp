#include "src/base/hex.hpp"
#include "tests/src/smpp/samples.hpp"

#include <doctest/doctest.h>

using namespace smsrack;
using namespace smsrack::smpp;

namespace {

std::string octets(std::string_view hex) {
    return octets_of_hex(hex).value();
}

/// `frame` with its length as its header says it.
std::string with_length(std::string frame) {
    std::string length;
    put_four(length, static_cast<std::uint32_t>(frame.size()));
    return frame.replace(0, length.size(), length);
}

Problem problem_of(const Pdu& pdu) {
    const auto read = decode(encode(pdu));
    REQUIRE_FALSE(read);
    return read.error();
}

}  // namespace

TEST_CASE("smpp: a submit_sm is the octets that the standard says") {
    const Pdu pdu{.header = {.command = Command::submit_sm, .sequence = 5},
                  .body = Message{.source = {.ton = 5, .npi = 0, .text = "Me"},
                                  .destination = {.ton = 1, .npi = 1, .text = "331"},
                                  .registered_delivery = 1,
                                  .short_message = "Hi"}};
    const std::string frame = octets(
        "00000029000000040000000000000005"  // length, submit_sm, no status, 5
        "00"                                // service_type
        "05004d6500"                        // source
        "01013333310000"                    // destination, esm_class
        "00000000"                          // protocol_id, priority, schedule, validity
        "01000000"                          // receipt, replace, coding, default message
        "024869");                          // "Hi"
    CHECK(hex_of(encode(pdu)) == hex_of(with_length(frame)));
    CHECK(decode(with_length(frame)) == pdu);
}

TEST_CASE("smpp: each PDU reads as what was written") {
    for (const Pdu& pdu : samples()) {
        CAPTURE(command_name(pdu.header.command));
        const std::string frame = encode(pdu);
        CHECK(Reader(frame).four("command_length") == frame.size());
        CHECK(decode(frame) == pdu);
    }
}

TEST_CASE("smpp: a PDU that ends too early names a field, wherever it is cut") {
    for (const Pdu& pdu : samples()) {
        CAPTURE(command_name(pdu.header.command));
        const std::string whole = encode(pdu);
        for (std::size_t size = header_octets; size < whole.size(); ++size) {
            CAPTURE(size);
            const auto read = decode(with_length(whole.substr(0, size)));
            if (read) {
                // Only optional parameters may be missing as a whole.
                const std::string again = encode(*read);
                CHECK(again.size() == size);
                CHECK(whole.substr(header_octets, size - header_octets) ==
                      again.substr(header_octets));
            } else {
                CHECK_FALSE(status_name(read.error().status).empty());
                CHECK_FALSE(read.error().field.empty());
                CHECK(read.error().offset <= size);
            }
        }
    }
}

TEST_CASE("smpp: an answer that tells of an error needs no body") {
    for (const Pdu& sample : samples()) {
        if (!is_answer(sample.header.command)) {
            continue;
        }
        CAPTURE(command_name(sample.header.command));
        Pdu answer{.header = sample.header};
        answer.header.status = Status::throttled;
        CHECK(encode(answer).size() == header_octets);
        CHECK(decode(encode(answer)) == answer);
    }
}

TEST_CASE("smpp: each mistake has the status that the standard has for it") {
    const auto with = [](auto change) {
        Message message = sample_message();
        change(message);
        return Pdu{.header = {.command = Command::submit_sm}, .body = message};
    };
    const auto of = [](const Pdu& pdu) {
        const auto read = decode(encode(pdu));
        return read ? Status::ok : read.error().status;
    };
    CHECK(of(with([](Message&) {})) == Status::ok);
    CHECK(of(with([](Message& m) { m.schedule_delivery_time = "2611271200"; })) ==
          Status::invalid_schedule);
    CHECK(of(with([](Message& m) { m.validity_period = "1"; })) == Status::invalid_expiry);
    CHECK(of(with([](Message& m) { m.tlvs = {{.tag = Tag::sar_msg_ref_num, .octets = "x"}}; })) ==
          Status::parameter_length);
    CHECK(of(with([](Message& m) {
              m.tlvs = {{.tag = Tag::receipted_message_id, .octets = "no end"}};
          })) == Status::parameter_length);
    CHECK(
        problem_of({.header = {.command = Command::submit_multi}, .body = SubmitMulti()}).status ==
        Status::invalid_number_of_destinations);
}

TEST_CASE("smpp: a text that is longer than its field has no end in it") {
    struct Case {
        std::string_view field;
        std::size_t octets_before;  // of the body
        std::size_t room;
        Status status;
    };
    constexpr std::size_t address = 2;  // ton and npi
    for (const Case& one :
         {Case{"service_type", 0, 6, Status::invalid_service_type},
          Case{"source", 1 + address, 21, Status::invalid_source},
          Case{"destination", 1 + address + 1 + address, 21, Status::invalid_destination}}) {
        CAPTURE(one.field);
        std::string frame = encode({.header = {.command = Command::submit_sm}, .body = Message()});
        frame.insert(header_octets + one.octets_before, std::string(one.room - 1, 'x'));
        CHECK(decode(with_length(frame)));
        frame.insert(header_octets + one.octets_before, "x");
        const auto read = decode(with_length(frame));
        REQUIRE_FALSE(read);
        CHECK(read.error().status == one.status);
        CHECK(read.error().field == one.field);
    }
}

TEST_CASE("smpp: short_message has 254 octets at most") {
    std::string frame =
        encode({.header = {.command = Command::submit_sm},
                .body = Message{.short_message = std::string(short_message_max, 'x')}});
    REQUIRE(decode(frame));
    frame[frame.size() - short_message_max - 1] = '\xFF';
    const auto read = decode(with_length(frame + "x"));
    REQUIRE_FALSE(read);
    CHECK(read.error().status == Status::invalid_message_length);
}

TEST_CASE("smpp: no command, and a destination that is neither number nor list") {
    std::string frame = encode({.header = {.command = Command::enquire_link}});
    frame[7] = '\x7F';
    CHECK(decode(frame).error().status == Status::invalid_command_id);

    frame = encode({.header = {.command = Command::submit_multi}, .body = sample_multi()});
    const std::size_t flag = frame.find(std::string("\x01\x01\x01", 3) + "33612345678");
    REQUIRE(flag != std::string::npos);
    frame[flag] = '\x03';
    CHECK(decode(frame).error().status == Status::invalid_destination_flag);
    CHECK(decode(frame).error().offset == flag + 1);
}
