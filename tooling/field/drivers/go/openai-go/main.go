// The loops of the README and the examples of OpenAI's SDK for Go, repeated until the model is done.
// `driver` speaks Chat Completions with the SDK's accumulator, `whole` without streaming;
// `responses` continues a response by its id, as the README does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

const (
	name        = "write"
	description = "Write a text file."
	prompt      = "Write the file."
)

var schema = map[string]any{
	"type": "object",
	"properties": map[string]any{
		"path":    map[string]string{"type": "string"},
		"content": map[string]string{"type": "string"},
	},
	"required": []string{"path", "content"},
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func write(arguments string) string {
	var args map[string]any
	check(json.Unmarshal([]byte(arguments), &args))
	path := args["path"].(string)
	check(os.WriteFile(path, []byte(args["content"].(string)), 0o644))
	return "Wrote " + path + "."
}

func stream(ctx context.Context, client openai.Client, params openai.ChatCompletionNewParams) openai.ChatCompletion {
	events := client.Chat.Completions.NewStreaming(ctx, params)
	acc := openai.ChatCompletionAccumulator{}
	for events.Next() {
		chunk := events.Current()
		acc.AddChunk(chunk)
		if len(chunk.Choices) > 0 {
			fmt.Print(chunk.Choices[0].Delta.Content)
		}
	}
	check(events.Err())
	return acc.ChatCompletion
}

func chat(ctx context.Context, client openai.Client, whole bool) {
	params := openai.ChatCompletionNewParams{
		Model:               openai.ChatModelGPT5_2,
		MaxCompletionTokens: openai.Int(1024),
		Messages:            []openai.ChatCompletionMessageParamUnion{openai.UserMessage(prompt)},
		Tools: []openai.ChatCompletionToolUnionParam{
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
				Name: name, Description: openai.String(description), Parameters: schema,
			}),
		},
	}
	for {
		var completion openai.ChatCompletion
		if whole {
			received, err := client.Chat.Completions.New(ctx, params)
			check(err)
			completion = *received
		} else {
			completion = stream(ctx, client, params)
		}
		if len(completion.Choices) == 0 || len(completion.Choices[0].Message.ToolCalls) == 0 {
			return
		}
		message := completion.Choices[0].Message
		params.Messages = append(params.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			params.Messages = append(params.Messages, openai.ToolMessage(write(call.Function.Arguments), call.ID))
		}
	}
}

func respond(ctx context.Context, client openai.Client) {
	params := responses.ResponseNewParams{
		Model:           openai.ChatModelGPT5_2,
		MaxOutputTokens: openai.Int(1024),
		Input:           responses.ResponseNewParamsInputUnion{OfString: openai.String(prompt)},
		Tools: []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{
			Name: name, Description: openai.String(description), Parameters: schema,
		}}},
	}
	for {
		response, err := client.Responses.New(ctx, params)
		check(err)
		outputs := responses.ResponseInputParam{}
		for _, item := range response.Output {
			if item.Type != "function_call" {
				continue
			}
			call := item.AsFunctionCall()
			output := responses.ResponseInputItemParamOfFunctionCallOutput(write(call.Arguments))
			output.OfFunctionCallOutput.CallID = openai.String(call.CallID)
			outputs = append(outputs, output)
		}
		if len(outputs) == 0 {
			fmt.Println(response.OutputText())
			return
		}
		params.PreviousResponseID = openai.String(response.ID)
		params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: outputs}
	}
}

func main() {
	client := openai.NewClient()
	way := append(os.Args, "")[1]
	if way == "responses" {
		respond(context.Background(), client)
	} else {
		chat(context.Background(), client, way == "whole")
	}
}
