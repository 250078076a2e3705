#include "src/base/mailbox.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace smsrack;

namespace {

struct Counting final : Waiter {
    void wait_until(SteadyTime) override {}
    void wake() override { ++woken; }
    int woken = 0;
};

}  // namespace

TEST_CASE("Mailbox: the first value after the reader took all wakes it") {
    Counting waiter;
    Mailbox<int> box(waiter);
    box.push(1);
    box.push(2);
    CHECK(waiter.woken == 1);
    std::vector<int> values;
    box.take_all(values);
    CHECK(values == std::vector{1, 2});
    CHECK(box.empty());
    box.push(3);
    CHECK(waiter.woken == 2);
}

TEST_CASE("Mailbox: what is left does not wake the reader, and keeps its place") {
    Counting waiter;
    Mailbox<int> box(waiter);
    box.leave(1);
    CHECK(waiter.woken == 0);
    CHECK_FALSE(box.empty());
    box.push(2);  // that the box was not empty says nothing
    CHECK(waiter.woken == 1);
    box.leave(3);
    std::vector<int> values;
    box.take_all(values);
    CHECK(values == std::vector{1, 2, 3});
    CHECK(waiter.woken == 1);
}
