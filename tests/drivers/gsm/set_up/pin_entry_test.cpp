#include "drivers/gsm/set_up/pin_entry.hpp"

#include <doctest/doctest.h>

namespace smsrack::gsm {
namespace {

using ports::PinVerdict;

const ports::PinTry card{.card = "89330123456789012342", .attempts_left = 3};

}  // namespace

TEST_CASE("PinEntry: only what can be a PIN is tried") {
    PinEntry pin;
    CHECK(pin.may_try("1234"));
    CHECK(pin.may_try("12345678"));
    for (const char* const no_pin : {"", "123", "123456789", "12a4", "12 4"}) {
        CAPTURE(no_pin);
        CHECK_FALSE(pin.may_try(no_pin));
    }
    CHECK_FALSE(pin.may_try(std::nullopt));
}

TEST_CASE("PinEntry: a PIN that failed is not tried again until another SIM may be there") {
    PinEntry pin;
    pin.ask(card);
    CHECK_FALSE(pin.may_try("1234"));  // the store is asked
    CHECK(pin.answer(card, PinVerdict::enter));
    pin.failed();
    CHECK(pin.is_refused());
    CHECK_FALSE(pin.may_try("1234"));
    pin.forget_refusal();
    CHECK(pin.may_try("1234"));

    pin.ask(card);
    CHECK(pin.answer(card, PinVerdict::refused));  // it failed in an earlier run
    CHECK(pin.is_refused());

    pin.begin();
    pin.ask(card);
    CHECK(pin.answer(card, PinVerdict::later));
    CHECK(pin.may_try("1234"));  // it was not tried
}

TEST_CASE("PinEntry: an answer about another card, or that was not asked for, means nothing") {
    PinEntry pin;
    CHECK_FALSE(pin.answer(card, PinVerdict::enter));
    pin.ask(card);
    pin.forget_refusal();
    CHECK(pin.is_asked());
    CHECK_FALSE(pin.answer({.card = "imei:1@/dev/ttyS0"}, PinVerdict::enter));
    CHECK(pin.is_asked());
    pin.begin();
    CHECK_FALSE(pin.answer(card, PinVerdict::enter));
}

}  // namespace smsrack::gsm
