#include "src/trigger/feed_lookups.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace smsrack::trigger {
namespace {

// Reads under way: one runs, one is next; what comes meanwhile is the next batch.
constexpr std::size_t finds_max = 2;
constexpr std::size_t find_pairs = 4'096;  // of one read: some 20 ms of a reader

}  // namespace

FeedLookups::FeedLookups(FeedDesk& desk, ports::TriggerStore& store, Executor& loop, Calls calls)
    : desk_(desk), store_(store), calls_(std::move(calls)), answers_(loop) {}

/// Only a filter that is whole may say that a pair is new; and without `verify` it does not know of those under way.
void FeedLookups::add(Wanted& wanted) {
    const TopicBook::PairTopic& topic = desk_.book.pair_topic(wanted.place.pair_topic);
    if (topic.view.id == ports::TopicId{}) {
        unnamed_.push_back(&wanted);
    } else if (desk_.settings.verify && topic.loaded && wanted.held == dedup::Held::no) {
        calls_.claim(wanted);
    } else {
        to_find_.push_back(&wanted);
    }
}

void FeedLookups::ask() {
    name_topics();
    find_rows();
}

void FeedLookups::drop_all(const Error& failure) {
    for (auto* const queue : {&unnamed_, &to_find_}) {
        for (Wanted* const wanted : std::exchange(*queue, {})) {
            desk_.drop(*wanted, failure);
        }
    }
}

void FeedLookups::know(std::span<const ports::TopicName> topics) {
    for (const ports::TopicName& topic : topics) {
        if (topic.trigger != desk_.settings.name) {
            continue;
        }
        if (const auto index = desk_.book.know(topic.name)) {
            desk_.book.number(*index, topic.id);
        }
    }
    topics_known_ = true;
}

void FeedLookups::name_topics() {
    if (naming_ || unnamed_.empty()) {
        return;
    }
    std::vector<std::uint32_t> topics;
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < desk_.book.pair_topics().size(); ++i) {
        const TopicBook::PairTopic& topic = desk_.book.pair_topic(i);
        if (topic.view.id == ports::TopicId{} && !topic.no_number) {
            topics.push_back(i);
            names.push_back(topic.stored_name);
        }
    }
    naming_ = true;
    store_.post(ports::NumberTopics{.trigger = desk_.settings.name, .names = std::move(names)},
                answers_.back<Ids>([this, topics = std::move(topics)](Result<Ids> ids) {
                    naming_ = false;
                    named(topics, ids);
                    calls_.turn();
                }));
}

/// Of one that was never heard of, once all that were are known, there is nothing to load.
void FeedLookups::named(std::span<const std::uint32_t> topics, const Result<Ids>& ids) {
    if (ids) {
        for (std::size_t i = 0; i < topics.size(); ++i) {
            if ((*ids)[i] == ports::TopicId{}) {
                desk_.book.pair_topic(topics[i]).no_number = true;
                continue;
            }
            desk_.book.number(topics[i], (*ids)[i]);
            desk_.book.pair_topic(topics[i]).loaded = topics_known_;
        }
    }
    for (Wanted* const wanted : std::exchange(unnamed_, {})) {
        if (ids && desk_.book.pair_topic(wanted->place.pair_topic).no_number) {
            desk_.resolve(*wanted, Verdict::bad, no_number);
        } else if (ids) {
            add(*wanted);
        } else {
            desk_.drop(*wanted, ids.error());
        }
    }
}

void FeedLookups::find_rows() {
    while (finding_ < finds_max && !to_find_.empty()) {
        const auto count = std::min(find_pairs, to_find_.size());
        std::vector<Wanted*> wanted(to_find_.end() - static_cast<std::ptrdiff_t>(count),
                                    to_find_.end());
        to_find_.resize(to_find_.size() - count);
        std::ranges::sort(wanted, {}, [this](const Wanted* one) { return desk_.pair_of(*one); });
        std::vector<ports::Pair> pairs;
        pairs.reserve(wanted.size());
        for (const Wanted* one : wanted) {
            pairs.push_back(desk_.pair_of(*one));
        }
        ++finding_;
        desk_.tally.count_looked_up(pairs.size());
        store_.ask(
            [pairs = std::move(pairs)](ports::TriggerReader& reader) { return reader.find(pairs); },
            answers_.back<Rows>([this, wanted = std::move(wanted)](Result<Rows> rows) {
                --finding_;
                found(wanted, rows);
                calls_.turn();
            }));
    }
}

void FeedLookups::found(std::span<Wanted* const> wanted, const Result<Rows>& rows) {
    const ports::PairRules now = desk_.rules();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!rows) {
            desk_.drop(*wanted[i], rows.error());
        } else if (const auto& row = (*rows)[i]; row && !now.is_free(*row)) {
            desk_.learn(*row);
            desk_.resolve(*wanted[i], Verdict::seen);
        } else {
            if (!row && wanted[i]->held == dedup::Held::maybe) {
                desk_.tally.count_false_hit();
            }
            calls_.claim(*wanted[i]);
        }
    }
}

}  // namespace smsrack::trigger
