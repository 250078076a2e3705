#include "firmware-host/codec_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>

using namespace smsrack;

TEST_CASE("CodecPool: close() runs what was posted, and what comes later is dropped") {
    host::CodecPool pool(2);
    std::atomic<int> ran = 0;
    for (int i = 0; i < 1'000; ++i) {
        pool.post([&] { ++ran; });
    }
    pool.close();
    CHECK(ran == 1'000);
    pool.post([&] { ++ran; });
    pool.close();
    CHECK(ran == 1'000);
}

TEST_CASE("CodecPool: it has as many threads as it was given") {
    constexpr int threads = 3;
    host::CodecPool pool(threads);
    std::latch all(threads);
    for (int i = 0; i < threads; ++i) {
        pool.post([&] { all.arrive_and_wait(); });  // for ever, where there are fewer threads
    }
    pool.close();
    CHECK(all.try_wait());
}
